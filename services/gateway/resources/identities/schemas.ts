import Joi from 'joi'
import { identityFields, ownIdentityFields } from '#shared/domain/identity/fields.ts'
import { groupNameErrors } from '#shared/domain/identity/group.ts'
import { groupNamePattern } from '#shared/domain/identity/group-fields.ts'
import { displayNameErrors, identityNameErrors } from '#shared/domain/identity/identity.ts'
import { lengths } from '#shared/domain/limits.ts'
import { domainText, emailSchema, givenPasswordSchema, newPasswordSchema } from '../../http/body-schemas.ts'
import { joi, requireOne } from '../../http/joi.ts'
import { answerOf, exampleId, exampleTime, text, time } from '../../http/response-schemas.ts'

const identityNameSchema = (): Joi.StringSchema =>
  domainText(identityNameErrors, { maxLength: lengths.identityName, pattern: '^[^/]*$' })

const displayNameSchema = (): Joi.StringSchema => domainText(displayNameErrors, { maxLength: lengths.name })

/** What bodies change of an identity by rules that its fields do not have; a password is no field at all. */
export const ruledFields = {
  name: identityNameSchema(),
  displayName: displayNameSchema(),
  email: emailSchema().allow(null),
  password: newPasswordSchema(),
}

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

/** Body of POST /identities/login. */
export const loginBody = joi
  .object({
    group: anyText(),
    name: anyText(),
    email: anyText(),
    password: givenPasswordSchema().required(),
  })
  .prints(requireOne('oneOf', ['name', 'email']))
  .xor('name', 'email')
  .example({ name: 'ana', password: 'correct horse battery staple' })
  .messages({
    'object.missing': 'Give a name or an email.',
    'object.xor': 'Give a name or an email, not both.',
  })

export type LoginBody = { group?: string; password: string } & ({ name: string } | { email: string })

/** Query of GET /identities/oauth/providers. */
export const identityProvidersQuery = Joi.object({
  group: anyText().description('A group of identities; without it those of the ungrouped space.'),
})

/** What clients show a button for; none of this version has any, but they ask. */
export const identityProvidersSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { provider: { type: 'string' }, name: { type: 'string' } },
    required: ['provider', 'name'],
    additionalProperties: false,
  },
  examples: [[]],
}

/** Body of POST /identities/logout. */
export const logoutBody = Joi.object({ all: Joi.boolean() }).example({ all: true })

const exampleShown = {
  ...{ id: exampleId, createdAt: exampleTime, updatedAt: exampleTime, name: 'ana', displayName: 'Ana', group: null },
  ...{ tags: [], lastLoginAt: null, activated: true },
}

export const exampleIdentity = {
  ...exampleShown,
  ...{ email: null, emailVerified: false, hasPassword: true, sessionCount: 1 },
}

/** An identity as it sees itself, and as the account's user sees it (contract 2.5). */
export const ownIdentitySchema = answerOf(ownIdentityFields, { title: 'OwnIdentity', examples: [exampleIdentity] })

/** An identity as tokens see it, and other identities. */
const otherIdentitySchema = answerOf(identityFields, { title: 'OtherIdentity', examples: [exampleShown] })

/** An identity as whoever asks sees it. */
export const identitySchema = {
  title: 'Identity',
  description: "The account's user sees all of it, and so does the identity itself; others see it without its email.",
  anyOf: [ownIdentitySchema, otherIdentitySchema],
  examples: [exampleIdentity],
}

/** An identity as it sees itself, with its session. */
export const identityLoginSchema = answerOf(
  ownIdentityFields,
  { title: 'IdentityLogin', examples: [{ ...exampleIdentity, token: 'listd_identity_…', expiresAt: exampleTime }] },
  { token: text, expiresAt: time },
)
