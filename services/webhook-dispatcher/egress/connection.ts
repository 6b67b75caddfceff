import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import type { ConnectMarks } from '#shared/domain/webhook/deliveries/attempt-details.ts'
import { portOf } from '#shared/domain/webhook/url.ts'
import { parseHost } from '#shared/net/address.ts'
import { EgressError, kindOfConnectError } from './egress-error.ts'

type ConnectionTarget = {
  /** Addresses that passed the guard, tried in order. */
  addresses: readonly string[]
  /** The certificate must be valid for its host; with the scheme `http:` the connection has no TLS. */
  url: URL
  secureContext: SecureContext
  signal: AbortSignal
  /** Records when the connection is established, and when it is secured. */
  marks?: ConnectMarks
}

/** For a host with more addresses, only the first ones are tried. */
const maxAddresses = 6

/** How long the TCP handshake with an address may take while there is another address to try. */
const handshakeTimeoutMs = 1_000

/**
 * A connection to one of the addresses, with TLS and the certificate verified for the host; sessions are never resumed,
 * because a resumed one skips that check. Connects to the address that passed the guard, so no other look-up can happen in between.
 * Throws EgressError `connection` or `tls`. When the signal aborts, the socket is destroyed: nothing else is certain to
 * end a connection that hangs.
 */
export async function openConnection(target: ConnectionTarget): Promise<Socket> {
  const addresses = target.addresses.slice(0, maxAddresses)
  let failure = new EgressError('connection', 'there is no address to connect to')
  for (const [position, address] of addresses.entries()) {
    const attempt = await handshake(address, { ...target, isLast: position === addresses.length - 1 })
    if (!(attempt instanceof EgressError)) return attempt
    failure = attempt
    if (attempt.kind !== 'connection' || target.signal.aborted) break
  }
  throw failure
}

function handshake(
  address: string,
  { url, secureContext, signal, marks, isLast }: ConnectionTarget & { isLast: boolean },
): Promise<Socket | EgressError> {
  if (signal.aborted) return Promise.resolve(interrupted())
  return new Promise((resolve) => {
    let reached = false
    const isPlain = url.protocol === 'http:'
    const socket = isPlain ? plainSocket(address, url) : tlsSocket(address, url, secureContext)
    const abort = () => void socket.destroy(interrupted())
    const giveUp = () => void socket.destroy(new EgressError('connection', 'the address does not answer'))
    const timer = isLast ? undefined : setTimeout(giveUp, handshakeTimeoutMs)
    const finish = (result: Socket | EgressError) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      resolve(result)
    }
    signal.addEventListener('abort', abort, { once: true })
    socket.once('connect', () => {
      reached = true
      clearTimeout(timer)
      if (marks) marks.connectedAt = performance.now()
    })
    socket.once(isPlain ? 'connect' : 'secureConnect', () => {
      if (marks && !isPlain) marks.securedAt = performance.now()
      finish(socket)
    })
    // Stays on the socket: an error before the client has its own listeners must not end the process.
    socket.on('error', (error) => finish(egressError(error, reached)))
  })
}

function plainSocket(address: string, url: URL): Socket {
  return connectPlain({ host: address, port: portOf(url), ...socketOptions })
}

function tlsSocket(address: string, url: URL, secureContext: SecureContext): Socket {
  // An address must not be sent as SNI name; without one the certificate is verified for the address.
  const servername = parseHost(url.hostname) === null ? url.hostname : ''
  const options = { host: address, port: portOf(url), servername, secureContext }
  return connectTls({ ...options, ...socketOptions, ...tlsOptions })
}

function egressError(error: Error, reached: boolean): EgressError {
  if (error instanceof EgressError) return error
  return new EgressError(kindOfConnectError(error, reached), error.message, { cause: error })
}

function interrupted(): EgressError {
  return new EgressError('interrupted', 'the connection attempt was abandoned')
}

const tlsOptions = {
  // Explicit, so that no environment variable can turn it off.
  rejectUnauthorized: true,
  ALPNProtocols: ['http/1.1'],
}

const socketOptions = {
  highWaterMark: 16_384,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
}
