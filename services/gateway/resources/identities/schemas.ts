import Joi from 'joi'
import { groupNameErrors } from '#shared/domain/identity/group.ts'
import { groupNamePattern } from '#shared/domain/identity/group-fields.ts'
import { displayNameErrors, identityNameErrors } from '#shared/domain/identity/identity.ts'
import { lengths } from '#shared/domain/limits.ts'
import { domainText, emailSchema, newPasswordSchema } from '../../http/body-schemas.ts'
import { joi, requireOne } from '../../http/joi.ts'
import {
  arrayOf,
  count,
  exampleId,
  exampleTime,
  flag,
  id,
  nullable,
  objectOf,
  text,
  time,
} from '../../http/response-schemas.ts'

export const identityNameSchema = (): Joi.StringSchema =>
  domainText(identityNameErrors, { maxLength: lengths.identityName, pattern: '^[^/]*$' })

export const displayNameSchema = (): Joi.StringSchema => domainText(displayNameErrors, { maxLength: lengths.name })

/** Body of POST /identities/register. A group may require a longer password, which is checked when its settings are read. */
export const registerBody = Joi.object({
  group: domainText(groupNameErrors, { pattern: groupNamePattern }),
  name: identityNameSchema().required(),
  displayName: displayNameSchema(),
  email: emailSchema(),
  password: newPasswordSchema().required(),
}).example({ name: 'ana', password: 'correct horse battery staple' })

export type RegisterBody = { group?: string; name: string; displayName?: string; email?: string; password: string }

/** Text that names somebody. Any form is accepted: an impossible name gets the same response as a wrong one. */
export const anyText = () => Joi.string().allow('').max(1_024)

/** A password that is compared. */
export const givenPassword = () => Joi.string().allow('').max(4_096)

/** Body of POST /identities/login. */
export const loginBody = joi
  .object({
    group: anyText(),
    name: anyText(),
    email: anyText(),
    password: givenPassword().required(),
  })
  .prints(requireOne('oneOf', ['name', 'email']))
  .xor('name', 'email')
  .example({ name: 'ana', password: 'correct horse battery staple' })
  .messages({
    'object.missing': 'Give a name or an email.',
    'object.xor': 'Give a name or an email, not both.',
  })

export type LoginBody = { group?: string; password: string } & ({ name: string } | { email: string })

/** Body of POST /identities/logout. */
export const logoutBody = Joi.object({ all: Joi.boolean() }).example({ all: true })

const shown = {
  id,
  createdAt: time,
  updatedAt: time,
  name: text,
  displayName: text,
  group: { ...nullable(text), description: "Null: the account's ungrouped space." },
  tags: arrayOf(text),
  lastLoginAt: nullable(time),
  activated: flag,
  email: nullable(text),
  emailVerified: flag,
  hasPassword: flag,
  sessionCount: count,
}

export const exampleIdentity = {
  ...{ id: exampleId, createdAt: exampleTime, updatedAt: exampleTime, name: 'ana', displayName: 'Ana', group: null },
  ...{ tags: [], lastLoginAt: null, activated: true },
  ...{ email: null, emailVerified: false, hasPassword: true, sessionCount: 1 },
}

/** An identity as it sees itself (contract 2.5). */
export const ownIdentitySchema = objectOf(shown, { title: 'OwnIdentity', examples: [exampleIdentity] })

/** The same with its session. */
export const identityLoginSchema = objectOf(
  { ...shown, token: text, expiresAt: time },
  { title: 'IdentityLogin', examples: [{ ...exampleIdentity, token: 'listd_identity_…', expiresAt: exampleTime }] },
)
