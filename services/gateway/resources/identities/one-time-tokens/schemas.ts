import Joi from 'joi'
import type { OneTimeKind } from '#shared/data/identities/one-time-tokens.ts'
import type { JsonSchema } from '#shared/domain/fields/json-schema.ts'
import { newPasswordSchema } from '../../../http/body-schemas.ts'
import { joi, requireOne } from '../../../http/joi.ts'
import { exampleTime, nullable, objectOf, text, time } from '../../../http/response-schemas.ts'
import { anyText, exampleIdentity, ownIdentitySchema } from '../schemas.ts'

const names = ['identityId', 'name', 'email']

/** Body of POST /identities/password-reset and /identities/email-verification: whom the token is for. */
export const subjectBody = joi
  .object({ group: anyText(), identityId: anyText(), name: anyText(), email: anyText() })
  .prints(requireOne('oneOf', names))
  .xor(...names)
  .example({ email: 'ana@listd.example' })
  .messages({
    'object.missing': 'Give an identityId, a name or an email.',
    'object.xor': 'Give only one of identityId, name and email.',
  })

export type SubjectBody = { group?: string } & ({ identityId: string } | { name: string } | { email: string })

/** Body of POST /identities/password-reset/confirm. A group may require a longer password. */
export const confirmResetBody = Joi.object({
  resetToken: anyText().required(),
  password: newPasswordSchema().required(),
}).example({ resetToken: 'listd_reset_…', password: 'correct horse battery staple' })

/** Body of POST /identities/email-verification/confirm. */
export const confirmVerificationBody = Joi.object({ verificationToken: anyText().required() }).example({
  verificationToken: 'listd_verify_…',
})

const nobody = 'Null: there is no such identity, or none that gets such a token, or the rules do not select it.'
const shown = {
  expiresAt: nullable(time),
  identity: { anyOf: [ownIdentitySchema, { type: 'null' }], description: nobody },
}
const exampleShown = { expiresAt: exampleTime, identity: { ...exampleIdentity, email: 'ana@listd.example' } }

/** What bodies call a token of each kind. */
export const tokenNames = { reset: 'resetToken', verify: 'verificationToken' } as const

/** A token that resets a password, and for whom; all null for nobody (contract 2.5). */
export const passwordResetSchema = requestedSchema('reset', 'PasswordReset')

/** A token that verifies an email address, and for whom, likewise. */
export const emailVerificationSchema = requestedSchema('verify', 'EmailVerification')

function requestedSchema(kind: OneTimeKind, title: string): JsonSchema {
  const name = tokenNames[kind]
  const examples = [{ [name]: `listd_${kind}_…`, ...exampleShown }]
  return objectOf({ [name]: nullable(text), ...shown }, { title, examples })
}
