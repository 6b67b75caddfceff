import { newPasswordSchema } from '#services/gateway/schemas/body-schemas.ts'
import { joi, requireOne } from '#services/gateway/schemas/joi.ts'
import { nullable, objectOf, text, time } from '#services/gateway/schemas/response-schemas.ts'
import type { OneTimeKind } from '#shared/data/identities/one-time-tokens.ts'
import type { JsonSchema } from '#shared/domain/fields/json-schema.ts'
import { identityIdText, identityNames, ownIdentitySchema, tokenText } from '../schemas.ts'

const names = ['identityId', 'name', 'email']

/** Body of POST /identities/password-reset and /identities/email-verification: whom the token is for. */
export const subjectBody = joi
  .object<SubjectBody>({ identityId: identityIdText(), ...identityNames })
  .prints(requireOne('oneOf', names))
  .xor(...names)
  .messages({
    'object.missing': 'Give an identityId, a name or an email.',
    'object.xor': 'Give only one of identityId, name and email.',
  })

export type SubjectBody = { group?: string } & ({ identityId: string } | { name: string } | { email: string })

/** Body of POST /identities/password-reset/confirm. A group may require a longer password. */
export const confirmResetBody = joi.object<{ resetToken: string; password: string }>({
  resetToken: tokenText().required(),
  password: newPasswordSchema().required(),
})

/** Body of POST /identities/email-verification/confirm. */
export const confirmVerificationBody = joi.object<{ verificationToken: string }>({
  verificationToken: tokenText().required(),
})

const noIdentity = 'null: no such identity exists, it cannot get such a token, or the rules do not select it.'
const shown = {
  expiresAt: { ...nullable(time), description: `The end of the token; ${noIdentity}` },
  identity: { anyOf: [ownIdentitySchema, { type: 'null' }], description: `The identity; ${noIdentity}` },
}

/** The name of each kind of token in bodies. */
export const tokenNames = { reset: 'resetToken', verify: 'verificationToken' } as const

/** A token that resets a password, and its identity; all null if no token was issued (contract 2.5). */
export const passwordResetSchema = requestedSchema('reset', {
  title: 'PasswordReset',
  description: 'A token that resets a password, and its identity.',
})

/** A token that verifies an email address, and its identity; all null if no token was issued. */
export const emailVerificationSchema = requestedSchema('verify', {
  title: 'EmailVerification',
  description: 'A token that verifies an email, and its identity.',
})

function requestedSchema(kind: OneTimeKind, keywords: { title: string; description: string }): JsonSchema {
  const name = tokenNames[kind]
  return objectOf({ [name]: { ...nullable(text), description: `The token; ${noIdentity}` }, ...shown }, keywords)
}
