import type { IncomingHttpHeaders } from 'node:http'
import { claimedKind, parseToken, type TokenKind, tokenHash } from '#shared/crypto/token.ts'
import { AppError } from '#shared/errors.ts'

/** The part of a request that identifies its sender. */
export type AuthRequest = { method?: string | undefined; headers: IncomingHttpHeaders }

/** The credential of a request: the hash of a token of the right form. */
export type Credential =
  | { kind: 'api'; tokenHash: string; identity: IdentityCredential | null }
  | { kind: 'session'; tokenHash: string; fromCookie: boolean }

/** The identity that a request presents; the hash is null when the token is not an identity's. */
export type IdentityCredential = { tokenHash: string | null; group: string | null }

export const sessionCookie = 'service_session'

/** The headers that identify the caller. */
export const credentialHeaders = [
  'authorization',
  'cookie',
  'x-api-token',
  'x-identity-token',
  'x-identity-group',
] as const

/**
 * Reads the one credential of a request (contract 1.2). Headers that were sent twice arrive joined by a comma (limits.ts),
 * which no token may contain.
 * @returns null when there is none
 * @throws USER_NOT_AUTHENTICATED for a malformed one, or for a combination that is not allowed
 */
export function readCredential(headers: IncomingHttpHeaders): Credential | null {
  const { authorization, cookie } = headers
  const apiToken = headers['x-api-token']
  const identity = readIdentityCredential(headers)
  if (apiToken !== undefined) {
    if (authorization !== undefined) throw notAuthenticated('Send either x-api-token or authorization, not both.')
    return { kind: 'api', tokenHash: hashOf(String(apiToken), 'api'), identity }
  }
  if (identity) throw notAuthenticated('Send x-identity-token together with an API token in x-api-token.')
  if (authorization !== undefined) {
    return { kind: 'session', tokenHash: hashOf(bearerToken(authorization), 'session'), fromCookie: false }
  }
  const fromCookie = cookie === undefined ? null : cookieToken(cookie)
  return fromCookie === null ? null : { kind: 'session', tokenHash: hashOf(fromCookie, 'session'), fromCookie: true }
}

/** @returns null when a request has no identity; a group alone is ignored */
export function readIdentityCredential(headers: IncomingHttpHeaders): IdentityCredential | null {
  const token = headers['x-identity-token']
  const group = headers['x-identity-group']
  if (token === undefined) return null
  const isIdentity = parseToken(String(token))?.kind === 'identity'
  return { tokenHash: isIdentity ? tokenHash(String(token)) : null, group: group === undefined ? null : String(group) }
}

/** The headers without those of an identity, for routes that ignore these: clients may send stale ones. */
export function withoutIdentity(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'x-identity-token': _token, 'x-identity-group': _group, ...others } = headers
  return others
}

function bearerToken(authorization: string): string {
  const [, token] = /^[ \t]*Bearer +([^ \t]+)[ \t]*$/i.exec(authorization) ?? []
  if (token === undefined) throw notAuthenticated(rightPlace(authorization))
  return token
}

/** Null without the cookie; other cookies of the same host are ignored. */
function cookieToken(cookie: string): string | null {
  const values = cookie
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${sessionCookie}=`))
  if (values.length > 1) throw notAuthenticated()
  return values[0]?.slice(sessionCookie.length + 1) ?? null
}

function hashOf(token: string, kind: TokenKind): string {
  if (parseToken(token)?.kind !== kind) throw notAuthenticated(rightPlace(token, kind))
  return tokenHash(token)
}

/**
 * The place for a token of the wrong kind, or with a scheme (such as Bearer) that this header does not accept.
 * Only the prefix is examined: nothing is looked up, so that the answer reveals nothing about the token.
 */
function rightPlace(text: string, expected?: TokenKind): string | undefined {
  const [, token = text] = /^[ \t]*\w+ +([^ \t]+)[ \t]*$/.exec(text) ?? []
  const kind = claimedKind(token)
  return kind === null || (kind === expected && token === text) ? undefined : places.get(kind)
}

const places: ReadonlyMap<TokenKind, string> = new Map([
  ['api', 'This is an API token: send it as "x-api-token: listd_api_…".'],
  ['identity', 'This is the session of an identity: send it as x-identity-token, with an API token in x-api-token.'],
  ['session', 'This is the session of a user: send it as "authorization: Bearer …".'],
])

function notAuthenticated(message?: string): AppError {
  return new AppError('USER_NOT_AUTHENTICATED', message === undefined ? {} : { message })
}
