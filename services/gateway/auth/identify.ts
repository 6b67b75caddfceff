import type { IncomingMessage } from 'node:http'
import { AppError } from '#shared/errors.ts'
import type { ClientConnection } from '../request/client-address.ts'
import type { AuthenticatedPrincipal, Principal } from '../request/principal.ts'
import type { Route } from '../request/route.ts'
import type { Authenticator } from './authenticator.ts'
import type { AuthRequest } from './credential.ts'

type IdentifyPrincipal<P = Principal> = (req: IncomingMessage, client: ClientConnection) => Promise<P>

/** Returns the function that finds the principal of a request to a route. */
export type Identify = (route: Pick<Route, 'permission' | 'identity' | 'cookies'>) => IdentifyPrincipal

/** @throws (when called) USER_NOT_AUTHENTICATED, IDENTITY_NOT_AUTHENTICATED, TOKEN_NOT_AUTHORIZED, USER_MODE_REQUIRED, CROSS_SITE_REQUEST */
export function createIdentify({ auth }: { auth: Authenticator }): Identify {
  return ({ permission, identity, cookies }) => {
    if (permission === 'public') return async () => anonymous
    if (identity === 'unverified') return withUnverifiedIdentity(auth)
    const authenticate = identity === 'ignored' ? withoutIdentity(auth) : withIdentity(auth, cookies)
    if (permission === 'user') return usersOnly(authenticate)
    return permission === 'user or nobody' ? orNobody(usersOnly(authenticate)) : authenticate
  }
}

function usersOnly(authenticate: IdentifyPrincipal<AuthenticatedPrincipal>): IdentifyPrincipal {
  return async (req, client) => {
    const principal = await authenticate(req, client)
    if (principal.mode !== 'user') throw new AppError('USER_MODE_REQUIRED')
    return principal
  }
}

/** A request without credentials of a live session is anonymous if it has `optional=true`; otherwise it is rejected. */
function orNobody(authenticate: IdentifyPrincipal): IdentifyPrincipal {
  return async (req, client) => {
    try {
      return await authenticate(req, client)
    } catch (error) {
      // The query is read later, by the same rule.
      const isOptional = /[?&]optional=(?:true|1)(?:&|$)/i.test(req.url ?? '')
      if (isOptional && error instanceof AppError && error.name === 'USER_NOT_AUTHENTICATED') return anonymous
      throw error
    }
  }
}

function withoutIdentity(auth: Authenticator): IdentifyPrincipal<AuthenticatedPrincipal> {
  return (req, client) => auth.authenticate(req, client, { identity: 'ignored' })
}

function withIdentity(auth: Authenticator, cookies?: 'ignored'): IdentifyPrincipal<AuthenticatedPrincipal> {
  return async (req, client) => {
    const principal = await auth.authenticate(cookies ? withoutCookies(req) : req, client)
    if (principal.mode === 'token' && principal.identity) assertOneGroup(req)
    return principal
  }
}

function withoutCookies({ method, headers: { cookie: _, ...headers } }: IncomingMessage): AuthRequest {
  return { method, headers }
}

function withUnverifiedIdentity(auth: Authenticator): IdentifyPrincipal {
  return async (req, client) => {
    const principal = await auth.authenticate(req, client, { identity: 'ignored' })
    const token = req.headers['x-identity-token']
    // A header that was sent twice arrives joined by a comma, so the session is ambiguous (limits.ts).
    if (principal.mode !== 'token' || token === undefined || token.includes(',')) {
      throw new AppError('IDENTITY_NOT_AUTHENTICATED')
    }
    assertOneGroup(req)
    return principal
  }
}

/**
 * A credential header that was sent twice arrives joined by a comma (limits.ts). The name of a group may contain a comma, unlike
 * a token, so this checks the headers as they were sent (contract 1.2).
 */
function assertOneGroup(req: IncomingMessage): void {
  const group = req.headers['x-identity-group']
  if (!group?.includes(', ')) return
  if (req.headersDistinct['x-identity-group']?.length !== 1) throw new AppError('IDENTITY_NOT_AUTHENTICATED')
}

const anonymous: Principal = { mode: 'anonymous' }
