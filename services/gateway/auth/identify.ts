import type { IncomingMessage } from 'node:http'
import { AppError } from '#shared/errors.ts'
import type { ClientConnection } from '../request/client-address.ts'
import type { Principal } from '../request/principal.ts'
import type { Route } from '../request/route.ts'
import type { Authenticator } from './authenticator.ts'
import { readIdentityCredential } from './credential.ts'

type IdentifyPrincipal = (req: IncomingMessage, client: ClientConnection) => Promise<Principal>

/** Gives a route the function that finds the principal of a request. */
export type Identify = (route: Pick<Route, 'permission' | 'identity'>) => IdentifyPrincipal

/** @throws (when called) USER_NOT_AUTHENTICATED, IDENTITY_NOT_AUTHENTICATED, USER_MODE_REQUIRED, CROSS_SITE_REQUEST */
export function createIdentify({ auth }: { auth: Authenticator }): Identify {
  return ({ permission, identity }) => {
    if (permission === 'public') return async () => anonymous
    if (identity === 'unverified') return withUnverifiedIdentity(auth)
    const options = identity ? { identity } : {}
    if (permission !== 'user') return (req, client) => auth.authenticate(req, client, options)
    return async (req, client) => {
      const principal = await auth.authenticate(req, client, options)
      if (principal.mode !== 'user') throw new AppError('USER_MODE_REQUIRED')
      return principal
    }
  }
}

function withUnverifiedIdentity(auth: Authenticator): IdentifyPrincipal {
  return async (req, client) => {
    const principal = await auth.authenticate(req, client, { identity: 'ignored' })
    if (principal.mode === 'token' && readIdentityCredential(req.headers)) return principal
    throw new AppError('IDENTITY_NOT_AUTHENTICATED')
  }
}

const anonymous: Principal = { mode: 'anonymous' }
