import { ownIdentityJson } from '#shared/domain/identity/json.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { isoTime } from '#shared/domain/text/iso-time.ts'
import { AppError } from '#shared/errors.ts'
import { readIdentityCredential } from '../../auth/credential.ts'
import type { Deps } from '../../context.ts'
import type { Caller, CallerIdentity, KnownCaller } from '../../request/principal.ts'
import type { Answer, ApiRequest, Route } from '../../request/route.ts'
import { type OwnIdentity, readOwnIdentity } from './get-self.ts'
import { loginIdentity } from './login.ts'
import { logoutIdentity } from './logout.ts'
import { registerIdentity } from './register.ts'
import { type LoginBody, loginBody, logoutBody, type RegisterBody, registerBody } from './schemas.ts'

/** Registering, signing in and out, and oneself (contract 2.5). */
export const identityRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/identities/register',
    access: 'caller',
    identity: 'ignored',
    body: { maxBytes: bodyBytes.other, shape: registerBody },
    handle: answerRegister,
  },
  {
    method: 'POST',
    path: '/identities/login',
    access: 'caller',
    identity: 'ignored',
    body: { maxBytes: bodyBytes.other, shape: loginBody },
    handle: answerLogin,
  },
  {
    // Whoever has a session may end it, also one that has ended already: the handler looks at the headers itself.
    method: 'POST',
    path: '/identities/logout',
    access: 'caller',
    identity: 'ignored',
    body: { maxBytes: bodyBytes.other, shape: logoutBody, optional: true },
    handle: answerLogout,
  },
  { method: 'GET', path: '/identities/self', access: 'caller', handle: answerSelf },
]

async function answerRegister({ id, caller, body }: ApiRequest, deps: Deps): Promise<Answer> {
  const input = { caller: caller as KnownCaller, body: body as RegisterBody, requestId: id }
  return { status: 201, body: own(await registerIdentity(deps, input)) }
}

async function answerLogin(request: ApiRequest, deps: Deps): Promise<Answer> {
  const { id: requestId, caller, clientAddress } = request
  const input = { caller: caller as KnownCaller, body: request.body as LoginBody, clientAddress, requestId }
  const { token, expiresAt, ...who } = await loginIdentity(deps, input)
  return { status: 200, body: { ...own(who), token, expiresAt: isoTime(expiresAt) } }
}

async function answerLogout({ caller, headers, body }: ApiRequest, deps: Deps): Promise<Answer> {
  const shown = readIdentityCredential(headers)
  if (caller.mode !== 'token' || !shown) throw new AppError('IDENTITY_NOT_AUTHENTICATED')
  const { all = false } = (body ?? {}) as { all?: boolean }
  await logoutIdentity(deps, { caller, shown, all })
  return { status: 204 }
}

async function answerSelf({ caller }: ApiRequest, deps: Deps): Promise<Answer> {
  const { accountId } = caller as KnownCaller
  const { id: identityId } = signedIn(caller)
  return { status: 200, body: own(await readOwnIdentity(deps, { accountId, identityId })) }
}

/** @throws IDENTITY_NOT_AUTHENTICATED when no identity asks */
function signedIn(caller: Caller): CallerIdentity {
  if (caller.mode !== 'token' || !caller.identity) throw new AppError('IDENTITY_NOT_AUTHENTICATED')
  return caller.identity
}

function own({ identity, sessionCount }: OwnIdentity) {
  return ownIdentityJson(identity, { sessionCount })
}
