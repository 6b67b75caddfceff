import { connect, type SecureContext, type TLSSocket } from 'node:tls'
import { parseAddress } from '#shared/net/address.ts'
import { EgressError, kindOfConnectError } from './egress-error.ts'

export type ConnectionTarget = {
  /** Vetted addresses, tried in order. */
  addresses: readonly string[]
  /** The host of the url, which the certificate must be for. */
  host: string
  port: number
  secureContext: SecureContext
  signal: AbortSignal
}

/** A host with more addresses than this is tried at the first ones only. */
const maxAddresses = 6

/** How long an address may keep us waiting for its TCP handshake while there is another to try. */
const patienceMs = 1_000

/**
 * A TLS connection to one of the addresses, its certificate verified for the host; sessions are never resumed, because
 * a resumed one skips that check. Connects to the vetted address itself, so no look-up can come in between.
 * Throws EgressError `connection` or `tls`. When the signal aborts, the socket is destroyed: nothing else surely ends
 * a connection that hangs.
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
    // An address is no SNI name; without one the certificate is verified for the address.
    const servername = parseAddress(host) === null ? host : ''
    const socket = connect({ host: address, port, servername, secureContext, ...socketOptions })
    const abort = () => void socket.destroy(interrupted())
    const giveUp = () => void socket.destroy(new EgressError('connection', 'the address does not answer'))
    const patience = isLast ? undefined : setTimeout(giveUp, patienceMs)
    const settle = (result: TLSSocket | EgressError) => {
      clearTimeout(patience)
      signal.removeEventListener('abort', abort)
      resolve(result)
    }
    signal.addEventListener('abort', abort, { once: true })
    socket.once('connect', () => {
      reached = true
      clearTimeout(patience)
    })
    socket.once('secureConnect', () => settle(socket))
    // Stays on the socket: an error between here and the client's own subscribers must not end the process.
    socket.on('error', (error) => settle(egressError(error, reached)))
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
  // Said outright, so that no environment variable can turn it off.
  rejectUnauthorized: true,
  ALPNProtocols: ['http/1.1'],
  highWaterMark: 16_384,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
}
