import type { ClientConnection } from '../request/client-address.ts'
import type { AuthRequest } from './credential.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a request with a session cookie is accepted: a browser also sends the cookie with requests that pages of other sites
 * start, so a request that writes must come from a page of this origin (contract 1.2).
 */
export function isFromThisOrigin(req: AuthRequest, client: ClientConnection, publicUrl: string): boolean {
  if (safeMethods.has(req.method ?? '')) return true
  const { origin, host } = req.headers
  const site = req.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return origin !== undefined && (origin === publicUrl || origin === `${client.secure ? 'https' : 'http'}://${host}`)
}
