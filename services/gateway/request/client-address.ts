import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** What a request's connection says of its client. */
export type ClientConnection = {
  /** IP address, IPv4 in dotted form. */
  address: string
  /** Whether the client speaks TLS, to us or to the proxy in front. */
  secure: boolean
}

/**
 * Reads the client's address and scheme. `x-forwarded-for` and `x-forwarded-proto` count only when the connection comes
 * from a trusted proxy; of the forwarded addresses, the last one that is not itself a trusted proxy is the client.
 * @param options.publicUrl `https://…` tells that TLS ends in front of us
 */
export function createClientConnection(options: {
  trustedProxies: readonly string[]
  publicUrl: string
}): (req: IncomingMessage) => ClientConnection {
  const { trustedProxies, publicUrl } = options
  const secure = publicUrl.startsWith('https:')
  if (trustedProxies.length === 0) return (req) => ({ address: socketAddress(req), secure })

  const trusts = addressSet(trustedProxies)
  return (req) => {
    const peer = socketAddress(req)
    if (!trusts(peer)) return { address: peer, secure }
    const proto = forwarded(req.headers['x-forwarded-proto']).at(-1)
    return { address: forwardedClient(req, peer, trusts), secure: proto === undefined ? secure : proto === 'https' }
  }
}

/** Whether an address lies in one of the networks (`10.0.0.0/8`, `fd00::/8`, or a bare address). Text that is no address: no. */
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

function forwardedClient(req: IncomingMessage, peer: string, trusts: (address: string) => boolean): string {
  let client = peer
  for (const entry of forwarded(req.headers['x-forwarded-for']).reverse()) {
    // Behind what is no address, nothing can be believed any more.
    if (isIP(entry) === 0) return client
    client = plain(entry)
    if (!trusts(client)) return client
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
  return plain(req.socket.remoteAddress ?? '')
}

/** A dual-stack listener shows IPv4 clients as `::ffff:192.0.2.1`. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address
}
