import { toOwnIdentityJson } from '#shared/domain/identity/json.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { isoTime } from '#shared/domain/text/iso-time.ts'
import { AppError } from '#shared/errors.ts'
import { readIdentityCredential } from '../../auth/credential.ts'
import type { AuthenticatedPrincipal, Principal, PrincipalIdentity } from '../../request/principal.ts'
import type { ApiRequest, Response, Route } from '../../request/route.ts'
import type { IdentityDeps } from './context.ts'
import { getOwnIdentity, type OwnIdentity } from './get-self.ts'
import { loginIdentity } from './login.ts'
import { logoutIdentity } from './logout.ts'
import { registerIdentity } from './register.ts'
import { type LoginBody, loginBody, logoutBody, type RegisterBody, registerBody } from './schemas.ts'

/** Registering identities, signing them in and out, and the current one (contract 2.5). */
export const identityRoutes: readonly Route<IdentityDeps>[] = [
  {
    method: 'POST',
    path: '/identities/register',
    permission: { action: 'register', resourceType: 'identity' },
    identity: 'ignored',
    body: { maxBytes: bodyBytes.other, schema: registerBody },
    handle: handleRegister,
  },
  {
    method: 'POST',
    path: '/identities/login',
    permission: { action: 'authenticate', resourceType: 'identity' },
    identity: 'ignored',
    body: { maxBytes: bodyBytes.other, schema: loginBody },
    handle: handleLogin,
  },
  {
    // Anyone who has a session may end it, even one that has already ended: the handler reads the headers itself.
    method: 'POST',
    path: '/identities/logout',
    permission: { action: 'authenticate', resourceType: 'identity' },
    identity: 'ignored',
    body: { maxBytes: bodyBytes.other, schema: logoutBody, optional: true },
    handle: handleLogout,
  },
  { method: 'GET', path: '/identities/self', permission: 'authenticated', handle: handleSelf },
]

async function handleRegister({ id, principal, body }: ApiRequest, deps: IdentityDeps): Promise<Response> {
  const input = { principal: principal as AuthenticatedPrincipal, body: body as RegisterBody, requestId: id }
  return { status: 201, body: toJson(await registerIdentity(deps, input)) }
}

async function handleLogin(request: ApiRequest, deps: IdentityDeps): Promise<Response> {
  const { id: requestId, principal, clientAddress } = request
  const input = {
    principal: principal as AuthenticatedPrincipal,
    body: request.body as LoginBody,
    clientAddress,
    requestId,
  }
  const { token, expiresAt, ...identity } = await loginIdentity(deps, input)
  return { status: 200, body: { ...toJson(identity), token, expiresAt: isoTime(expiresAt) } }
}

async function handleLogout({ principal, headers, body }: ApiRequest, deps: IdentityDeps): Promise<Response> {
  const presented = readIdentityCredential(headers)
  if (principal.mode !== 'token' || !presented) throw new AppError('IDENTITY_NOT_AUTHENTICATED')
  const { all = false } = (body ?? {}) as { all?: boolean }
  await logoutIdentity(deps, { principal, presented, all })
  return { status: 204 }
}

async function handleSelf({ principal }: ApiRequest, deps: IdentityDeps): Promise<Response> {
  const { accountId } = principal as AuthenticatedPrincipal
  const { id: identityId } = actingIdentity(principal)
  return { status: 200, body: toJson(await getOwnIdentity(deps, { accountId, identityId })) }
}

/** @throws IDENTITY_NOT_AUTHENTICATED without an identity */
function actingIdentity(principal: Principal): PrincipalIdentity {
  if (principal.mode !== 'token' || !principal.identity) throw new AppError('IDENTITY_NOT_AUTHENTICATED')
  return principal.identity
}

function toJson({ identity, sessionCount }: OwnIdentity) {
  return toOwnIdentityJson(identity, { sessionCount })
}
