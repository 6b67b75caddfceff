import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** The client of a request, by its connection. */
export type ClientConnection = {
  /** IP address, IPv4 in dotted form. */
  address: string
  /** Whether the client speaks TLS, to us or to the proxy in front. */
  secure: boolean
}

/**
 * Reads the client's address and scheme. `x-forwarded-for` and `x-forwarded-proto` count only when the connection comes
 * from a trusted proxy; of the forwarded addresses, the last one that is not itself a trusted proxy is the client.
 * @param options.publicUrl `https://…` means that a proxy in front terminates TLS
 */
export function createClientConnection(options: {
  trustedProxies: readonly string[]
  publicUrl: string
}): (req: IncomingMessage) => ClientConnection {
  const { trustedProxies, publicUrl } = options
  const secure = publicUrl.startsWith('https:')
  if (trustedProxies.length === 0) return (req) => ({ address: socketAddress(req), secure })

  const isTrusted = addressSet(trustedProxies)
  return (req) => {
    const peer = socketAddress(req)
    if (!isTrusted(peer)) return { address: peer, secure }
    const proto = forwarded(req.headers['x-forwarded-proto']).at(-1)
    return { address: forwardedClient(req, peer, isTrusted), secure: proto === undefined ? secure : proto === 'https' }
  }
}

/** Tests whether an address is in one of the networks (`10.0.0.0/8`, `fd00::/8`, or a bare address); false for other text. */
export function addressSet(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    list.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family)
  }
  return (address) => {
    const family = isIP(address)
    return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6')
  }
}

function forwardedClient(req: IncomingMessage, peer: string, isTrusted: (address: string) => boolean): string {
  let client = peer
  for (const entry of forwarded(req.headers['x-forwarded-for']).reverse()) {
    // Entries before one that is not an address cannot be trusted.
    if (isIP(entry) === 0) return client
    client = normalize(entry)
    if (!isTrusted(client)) return client
  }
  return client
}

function forwarded(header: string | string[] | undefined): string[] {
  return header === undefined
    ? []
    : String(header)
        .split(',')
        .map((part) => part.trim())
}

function socketAddress(req: IncomingMessage): string {
  return normalize(req.socket.remoteAddress ?? '')
}

/** A dual-stack listener reports IPv4 clients as `::ffff:192.0.2.1`. */
function normalize(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address
}
