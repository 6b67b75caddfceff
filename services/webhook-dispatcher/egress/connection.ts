import { connect, type SecureContext, type TLSSocket } from 'node:tls'
import { parseHost } from '#shared/net/address.ts'
import { EgressError, kindOfConnectError } from './egress-error.ts'

type ConnectionTarget = {
  /** Addresses that passed the guard, tried in order. */
  addresses: readonly string[]
  /** The host of the url, which the certificate must be for. */
  host: string
  port: number
  secureContext: SecureContext
  signal: AbortSignal
}

/** Of a host with more addresses only the first ones are tried. */
const maxAddresses = 6

/** How long the TCP handshake with an address may take while there is another address to try. */
const handshakeTimeoutMs = 1_000

/**
 * A TLS connection to one of the addresses, its certificate verified for the host; sessions are never resumed, because
 * a resumed one skips that check. Connects to the address that passed the guard, so no look-up can come in between.
 * Throws EgressError `connection` or `tls`. When the signal aborts, the socket is destroyed: nothing else is certain to
 * end a connection that hangs.
 */
export async function openConnection(target: ConnectionTarget): Promise<TLSSocket> {
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
  { host, port, secureContext, signal, isLast }: ConnectionTarget & { isLast: boolean },
): Promise<TLSSocket | EgressError> {
  if (signal.aborted) return Promise.resolve(interrupted())
  return new Promise((resolve) => {
    let reached = false
    // An address must not be sent as SNI name; without one the certificate is verified for the address.
    const servername = parseHost(host) === null ? host : ''
    const socket = connect({ host: address, port, servername, secureContext, ...socketOptions })
    const abort = () => void socket.destroy(interrupted())
    const giveUp = () => void socket.destroy(new EgressError('connection', 'the address does not answer'))
    const timer = isLast ? undefined : setTimeout(giveUp, handshakeTimeoutMs)
    const finish = (result: TLSSocket | EgressError) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      resolve(result)
    }
    signal.addEventListener('abort', abort, { once: true })
    socket.once('connect', () => {
      reached = true
      clearTimeout(timer)
    })
    socket.once('secureConnect', () => finish(socket))
    // Stays on the socket: an error before the client has its own listeners must not end the process.
    socket.on('error', (error) => finish(egressError(error, reached)))
  })
}

function egressError(error: Error, reached: boolean): EgressError {
  if (error instanceof EgressError) return error
  return new EgressError(kindOfConnectError(error, reached), error.message, { cause: error })
}

function interrupted(): EgressError {
  return new EgressError('interrupted', 'the connection was given up')
}

const socketOptions = {
  // Explicit, so that no environment variable can turn it off.
  rejectUnauthorized: true,
  ALPNProtocols: ['http/1.1'],
  highWaterMark: 16_384,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
}
