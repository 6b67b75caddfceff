import { bodyBytes } from '#shared/domain/limits.ts'
import { isoTime } from '#shared/domain/text/iso-time.ts'
import { readIdentityCredential } from '../../auth/credential.ts'
import { created, none, ok } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import type { IdentityDeps } from './context.ts'
import { ownIdentityJson } from './get-self.ts'
import { oneTimeTokenRoutes } from './one-time-tokens/routes.ts'
import {
  identityLoginSchema,
  identityProvidersQuery,
  identityProvidersSchema,
  loginBody,
  logoutBody,
  ownIdentitySchema,
  registerBody,
} from './schemas.ts'
import { selfRoutes } from './self/routes.ts'
import { loginIdentity } from './sign-in/login.ts'
import { logoutIdentity } from './sign-in/logout.ts'
import { registerIdentity } from './sign-in/register.ts'

/** Registration, sign-in and sign-out of identities, their own data and sessions, and their one-time tokens (contract 2.5). */
export const identityRoutes: readonly Route<IdentityDeps>[] = [
  route({
    method: 'POST',
    path: '/identities/register',
    operationId: 'registerIdentity',
    about: 'Registers an identity, without signing it in.',
    notes: 'The first registration in a group creates the group. The answer has no session: sign in afterwards.',
    response: { 201: ownIdentitySchema },
    errors: [
      ...(['REQUESTED_ENTITY_NOT_FOUND', 'RATE_LIMIT_EXCEEDED', 'IDENTITY_EMAIL_REQUIRED'] as const),
      'IDENTITY_UNABLE_TO_CREATE',
      'MAX_IDENTITIES_EXCEEDED',
    ],
    permission: { action: 'register', resourceType: 'identity' },
    identity: 'ignored',
    body: { maxBytes: bodyBytes.short, schema: registerBody },
    async handle({ id, principal, body, clientAddress }, deps) {
      const registered = await registerIdentity(deps, { principal, body, clientAddress, requestId: id })
      return created(ownIdentityJson(registered))
    },
  }),
  route({
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
    async handle({ id, principal, body, clientAddress }, deps) {
      const input = { principal, body, clientAddress, requestId: id }
      const { token, expiresAt, ...identity } = await loginIdentity(deps, input)
      return ok({ ...ownIdentityJson(identity), token, expiresAt: isoTime(expiresAt) })
    },
  }),
  route({
    method: 'POST',
    path: '/identities/logout',
    operationId: 'logoutIdentity',
    about: 'Ends the session of an identity, or all its sessions.',
    notes:
      'The answer is 204 for any `x-identity-token`: also for one that has ended, is unknown or is of another account.',
    session: 'identity',
    response: { 204: null },
    errors: ['IDENTITY_NOT_AUTHENTICATED'],
    permission: { action: 'authenticate', resourceType: 'identity' },
    identity: 'unverified',
    body: { maxBytes: bodyBytes.short, schema: logoutBody, optional: true },
    async handle({ principal, headers, body }, deps) {
      const tokenHash = readIdentityCredential(headers)?.tokenHash ?? null
      await logoutIdentity(deps, { principal, tokenHash, all: body?.all === true })
      return none()
    },
  }),
  route({
    method: 'GET',
    path: '/identities/oauth/providers',
    operationId: 'listIdentityProviders',
    about: 'The providers that identities of a group can sign in with instead of a password; there are none yet.',
    notes: 'The array is empty: identities sign in with a password only.',
    response: { 200: identityProvidersSchema },
    permission: 'authenticated',
    identity: 'ignored',
    query: identityProvidersQuery,
    handle: async () => ok([]),
  }),
  ...selfRoutes,
  ...oneTimeTokenRoutes,
]
