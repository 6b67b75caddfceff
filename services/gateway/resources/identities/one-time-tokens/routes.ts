import { ok } from '#services/gateway/request/response.ts'
import { type Route, route } from '#services/gateway/request/route.ts'
import type { OneTimeKind } from '#shared/data/identities/one-time-tokens.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { isoTime } from '#shared/domain/text/iso-time.ts'
import type { IdentityDeps } from '../context.ts'
import { ownIdentityJson } from '../get-self.ts'
import { ownIdentitySchema } from '../schemas.ts'
import { confirmReset } from './confirm-reset.ts'
import { confirmVerification } from './confirm-verification.ts'
import { requestAction, requestOneTimeToken } from './request-token.ts'
import {
  confirmResetBody,
  confirmVerificationBody,
  emailVerificationSchema,
  passwordResetSchema,
  subjectBody,
  tokenNames,
} from './schemas.ts'

/** The tokens that reset an identity's password and verify its email address (contract 2.5). */
export const oneTimeTokenRoutes: readonly Route<IdentityDeps>[] = [
  requestRoute('reset', {
    path: '/identities/password-reset',
    operationId: 'requestPasswordReset',
    about: 'Issues a token that resets the password of an identity, in place of its earlier one.',
    notes:
      'Send the token to the email of `identity`: listd sends no email. The token works once, for 30 minutes. If no token was issued, all fields of the answer are null.',
    response: { 200: passwordResetSchema },
  }),
  route({
    method: 'POST',
    path: '/identities/password-reset/confirm',
    operationId: 'confirmPasswordReset',
    about: 'Sets a new password with a reset token, and ends all sessions of the identity.',
    notes: 'A password that is too short does not use up the token.',
    response: { 200: ownIdentitySchema },
    errors: ['IDENTITY_TOKEN_INVALID'],
    permission: { action: 'authenticate', resourceType: 'identity' },
    identity: 'ignored',
    body: { maxBytes: bodyBytes.short, schema: confirmResetBody },
    async handle({ id, principal, body: { resetToken: token, password } }, deps) {
      const own = await confirmReset(deps, { principal, token, password, requestId: id })
      return ok(ownIdentityJson(own))
    },
  }),
  requestRoute('verify', {
    path: '/identities/email-verification',
    operationId: 'requestEmailVerification',
    about: 'Issues a token that verifies the email of an identity, in place of its earlier one.',
    notes:
      'Send the token to the email of `identity`: listd sends no email. The token works once, for 24 hours. If no token was issued, all fields of the answer are null.',
    response: { 200: emailVerificationSchema },
  }),
  route({
    method: 'POST',
    path: '/identities/email-verification/confirm',
    operationId: 'confirmEmailVerification',
    about: 'Marks the email of an identity as verified, with a verification token.',
    notes: '`emailVerified` becomes true, until the email changes.',
    response: { 200: ownIdentitySchema },
    errors: ['IDENTITY_TOKEN_INVALID'],
    permission: { action: 'authenticate', resourceType: 'identity' },
    identity: 'ignored',
    body: { maxBytes: bodyBytes.short, schema: confirmVerificationBody },
    async handle({ principal, body }, deps) {
      const verified = await confirmVerification(deps, { principal, token: body.verificationToken })
      return ok(ownIdentityJson(verified))
    },
  }),
]

function requestRoute(
  kind: OneTimeKind,
  described: Pick<Route, 'path' | 'operationId' | 'about' | 'notes' | 'response'>,
): Route<IdentityDeps> {
  return route({
    method: 'POST',
    ...described,
    identity: 'ignored',
    permission: { action: requestAction[kind], resourceType: 'identity' },
    body: { maxBytes: bodyBytes.short, schema: subjectBody },
    async handle({ principal, body }, deps) {
      const requested = await requestOneTimeToken(deps, { principal, kind, who: body })
      return ok({ [tokenNames[kind]]: requested?.token ?? null, ...toJson(requested) })
    },
  })
}

function toJson(requested: Awaited<ReturnType<typeof requestOneTimeToken>>) {
  if (!requested) return { expiresAt: null, identity: null }
  return { expiresAt: isoTime(requested.expiresAt), identity: ownIdentityJson(requested.own) }
}
