import { bodyBytes } from '#shared/domain/limits.ts'
import { isoTime } from '#shared/domain/text/iso-time.ts'
import { type IdentityCredential, readIdentityCredential } from '../../auth/credential.ts'
import type { DescribedRoute } from '../../request/described-route.ts'
import type { AuthenticatedPrincipal, TokenPrincipal } from '../../request/principal.ts'
import type { ApiRequest, Response } from '../../request/route.ts'
import type { IdentityDeps } from './context.ts'
import { ownIdentityJson } from './get-self.ts'
import { oneTimeTokenRoutes } from './one-time-tokens/routes.ts'
import {
  identityLoginSchema,
  identityProvidersQuery,
  identityProvidersSchema,
  type LoginBody,
  loginBody,
  logoutBody,
  ownIdentitySchema,
  type RegisterBody,
  registerBody,
} from './schemas.ts'
import { selfRoutes } from './self/routes.ts'
import { loginIdentity } from './sign-in/login.ts'
import { logoutIdentity } from './sign-in/logout.ts'
import { registerIdentity } from './sign-in/register.ts'

/** Registering identities, signing them in and out, what they do with themselves, and their one-time tokens (contract 2.5). */
export const identityRoutes: readonly DescribedRoute<IdentityDeps>[] = [
  {
    method: 'POST',
    path: '/identities/register',
    operationId: 'registerIdentity',
    about: 'Registers an identity, without signing it in.',
    notes: 'The first registration in a group creates the group. The answer has no session: sign in afterwards.',
    response: { 201: ownIdentitySchema },
    errors: [
      ...(['REQUESTED_ENTITY_NOT_FOUND', 'RATE_LIMIT_EXCEEDED', 'IDENTITY_EMAIL_REQUIRED'] as const),
      'IDENTITY_UNABLE_TO_CREATE',
    ],
    permission: { action: 'register', resourceType: 'identity' },
    identity: 'ignored',
    body: { maxBytes: bodyBytes.short, schema: registerBody },
    handle: handleRegister,
  },
  {
    method: 'POST',
    path: '/identities/login',
    operationId: 'loginIdentity',
    about: 'Signs an identity in, by name or email.',
    notes: 'Every failure has the same answer. After five failures in a row the next attempts have to wait.',
    response: { 200: identityLoginSchema },
    errors: ['IDENTITY_NOT_AUTHENTICATED', 'IDENTITY_EMAIL_NOT_VERIFIED', 'IDENTITY_TOO_MANY_ATTEMPTS'],
    permission: { action: 'authenticate', resourceType: 'identity' },
    identity: 'ignored',
    body: { maxBytes: bodyBytes.short, schema: loginBody },
    handle: handleLogin,
  },
  {
    method: 'POST',
    path: '/identities/logout',
    operationId: 'logoutIdentity',
    about: 'Ends the session of an identity, or all its sessions.',
    notes:
      'The answer is 204 whatever `x-identity-token` is: also for one that has ended, is unknown or is of another account.',
    session: 'identity',
    response: { 204: null },
    errors: ['IDENTITY_NOT_AUTHENTICATED'],
    permission: { action: 'authenticate', resourceType: 'identity' },
    identity: 'unverified',
    body: { maxBytes: bodyBytes.short, schema: logoutBody, optional: true },
    handle: handleLogout,
  },
  {
    method: 'GET',
    path: '/identities/oauth/providers',
    operationId: 'listIdentityProviders',
    about: 'The providers that identities of a group can sign in with instead of a password; there are none yet.',
    notes: 'The array is empty: identities sign in with a password only.',
    response: { 200: identityProvidersSchema },
    permission: 'authenticated',
    identity: 'ignored',
    query: identityProvidersQuery,
    handle: async () => ({ status: 200, body: [] }),
  },
  ...selfRoutes,
  ...oneTimeTokenRoutes,
]

async function handleRegister(request: ApiRequest, deps: IdentityDeps): Promise<Response> {
  const { id: requestId, principal, clientAddress } = request
  const input = {
    principal: principal as AuthenticatedPrincipal,
    body: request.body as RegisterBody,
    clientAddress,
    requestId,
  }
  return { status: 201, body: ownIdentityJson(await registerIdentity(deps, input)) }
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
  return { status: 200, body: { ...ownIdentityJson(identity), token, expiresAt: isoTime(expiresAt) } }
}

async function handleLogout({ principal, headers, body }: ApiRequest, deps: IdentityDeps): Promise<Response> {
  const presented = readIdentityCredential(headers) as IdentityCredential
  const { all = false } = (body ?? {}) as { all?: boolean }
  await logoutIdentity(deps, { principal: principal as TokenPrincipal, presented, all })
  return { status: 204 }
}
