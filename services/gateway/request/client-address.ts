import type { IncomingMessage } from 'node:http'
import { formatIpv4, parseAddress, unmapped } from '#shared/net/address.ts'
import { addressSet } from '#shared/net/cidr.ts'

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

  const isTrusted = addressSet('gateway.trustedProxies', trustedProxies)
  return (req) => {
    const peer = socketAddress(req)
    if (!isTrusted(peer)) return { address: peer, secure }
    const proto = forwarded(req.headers['x-forwarded-proto']).at(-1)
    return { address: forwardedClient(req, peer, isTrusted), secure: proto === undefined ? secure : proto === 'https' }
  }
}

function forwardedClient(req: IncomingMessage, peer: string, isTrusted: (address: string) => boolean): string {
  let client = peer
  for (const entry of forwarded(req.headers['x-forwarded-for']).reverse()) {
    // Entries before an invalid address cannot be trusted.
    const address = dotted(entry)
    if (address === null) return client
    client = address
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

/** The operating system reports the zone of a link-local address (`fe80::1%eth0`), which is not part of the address. */
function socketAddress(req: IncomingMessage): string {
  const address = req.socket.remoteAddress?.replace(/%.*/, '') ?? ''
  return dotted(address) ?? address
}

/**
 * The address with an IPv4-mapped one in dotted form: a dual-stack listener reports IPv4 clients as `::ffff:192.0.2.1`.
 * Null for text that is not an address.
 */
function dotted(text: string): string | null {
  const address = parseAddress(text)
  if (address?.family !== 6) return address && text
  const inner = unmapped(address)
  return inner.family === 4 ? formatIpv4(inner.value) : text
}
