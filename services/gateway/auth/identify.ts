import type { IncomingMessage } from 'node:http'
import { AppError } from '#shared/errors.ts'
import type { ClientConnection } from '../request/client-address.ts'
import type { Caller } from '../request/principal.ts'
import type { Route } from '../request/route.ts'
import type { Authenticator } from './authenticator.ts'

type IdentifyCaller = (req: IncomingMessage, client: ClientConnection) => Promise<Caller>

/** How a route finds out who is calling. */
export type Identify = (route: Pick<Route, 'access' | 'identity'>) => IdentifyCaller

/** @throws (when called) USER_NOT_AUTHENTICATED, IDENTITY_NOT_AUTHENTICATED, USER_MODE_REQUIRED, CROSS_SITE_REQUEST */
export function createIdentify({ auth }: { auth: Authenticator }): Identify {
  return ({ access, identity }) => {
    if (access === 'anyone') return async () => nobody
    const options = identity ? { identity } : {}
    if (access === 'caller') return (req, client) => auth.authenticate(req, client, options)
    return async (req, client) => {
      const caller = await auth.authenticate(req, client, options)
      if (caller.mode !== 'user') throw new AppError('USER_MODE_REQUIRED')
      return caller
    }
  }
}

const nobody: Caller = { mode: 'anyone' }
