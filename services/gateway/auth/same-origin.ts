import type { ClientConnection } from '../request/client-address.ts'
import type { AuthRequest } from './credential.ts'

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a request that a cookie vouches for may go on: a browser sends the cookie along with requests that pages of
 * others start, so whatever writes must show that it comes from a page of this origin (contract 1.2).
 */
export function isFromThisOrigin(req: AuthRequest, client: ClientConnection, publicUrl: string): boolean {
  if (readingMethods.has(req.method ?? '')) return true
  const { origin, host } = req.headers
  const site = req.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return origin !== undefined && (origin === publicUrl || origin === `${client.secure ? 'https' : 'http'}://${host}`)
}
