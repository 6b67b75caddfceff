import Joi from 'joi'
import { identityFields, ownIdentityFields } from '#shared/domain/identity/fields.ts'
import { displayNameErrors, identityNameErrors } from '#shared/domain/identity/identity.ts'
import { lengths } from '#shared/domain/limits.ts'
import {
  domainText,
  emailSchema,
  givenPasswordSchema,
  newGroupSchema,
  newPasswordSchema,
} from '../../schemas/body-schemas.ts'
import { joi, requireOne } from '../../schemas/joi.ts'
import { answerOf, text, time } from '../../schemas/response-schemas.ts'
import type { LoginBody } from './sign-in/login.ts'
import type { Registration } from './sign-in/register.ts'

const identityNameSchema = (): Joi.StringSchema =>
  domainText(identityNameErrors, { maxLength: lengths.identityName, pattern: '^[^/]*$' }).description(
    identityFields.name.about,
  )

const displayNameSchema = (): Joi.StringSchema =>
  domainText(displayNameErrors, { maxLength: lengths.name }).description(identityFields.displayName.about)

/** Body properties of an identity whose rules differ from those of its fields, and the password, which is not a field. */
export const ruledFields = {
  name: identityNameSchema(),
  displayName: displayNameSchema(),
  email: emailSchema().allow(null).description(ownIdentityFields.email.about),
  password: newPasswordSchema(),
}

const aboutGroup = "The name of the identity's group; absent: it is in the ungrouped space."

/** Body of POST /identities/register. A group may require a longer password, which is checked when its settings are read. */
export const registerBody = joi.object<Registration>({
  group: newGroupSchema().description(aboutGroup),
  name: identityNameSchema().required(),
  displayName: displayNameSchema(),
  email: emailSchema().description(ownIdentityFields.email.about),
  password: newPasswordSchema().required(),
})

/** Text that names an identity. Any form is accepted: an impossible name gets the same response as a wrong one. */
const anyText = () => Joi.string().allow('').max(1_024)

/** An opaque token in a body. */
export const tokenText = () => anyText().description('The token; it works once.')

/** The properties that identify an identity in bodies. */
export const identityNames = {
  group: anyText().description(aboutGroup),
  name: anyText().description('The name of the identity.'),
  email: anyText().description('The email of the identity.'),
}

/** The id of an identity in a body. */
export const identityIdText = () => anyText().description('The id of the identity.')

/** Body of POST /identities/login. */
export const loginBody = joi
  .object<LoginBody>({
    ...identityNames,
    password: givenPasswordSchema().required().description('The password of the identity.'),
  })
  .prints(requireOne('oneOf', ['name', 'email']))
  .xor('name', 'email')
  .messages({
    'object.missing': 'Give a name or an email.',
    'object.xor': 'Give a name or an email, not both.',
  })

/** Query of GET /identities/oauth/providers. */
export const identityProvidersQuery = joi.object<{ group?: string }>({
  group: anyText().description('The name of a group of identities; absent: the ungrouped space.'),
})

/** The providers for which clients show a button. This version has none, but clients request them. */
export const identityProvidersSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      provider: { ...text, description: 'The id of the provider.' },
      name: { ...text, description: 'The name of the provider, for a button.' },
    },
    required: ['provider', 'name'],
    additionalProperties: false,
  },
}

/** Body of POST /identities/logout. */
export const logoutBody = joi.object<{ all?: boolean }>({
  all: Joi.boolean().description('Whether every session of the identity ends.'),
})

/** An identity as it sees itself, and as the account's user sees it (contract 2.5). */
export const ownIdentitySchema = answerOf(ownIdentityFields, {
  title: 'OwnIdentity',
  description: "An identity as it sees itself, and as the account's user sees it.",
})

/** An identity as tokens and other identities see it. */
const otherIdentitySchema = answerOf(identityFields, {
  title: 'OtherIdentity',
  description: 'An identity as tokens and other identities see it.',
})

/** An identity as the caller sees it. */
export const identitySchema = {
  title: 'Identity',
  description: "The account's user sees all of it, and so does the identity itself; others see it without its email.",
  anyOf: [ownIdentitySchema, otherIdentitySchema],
}

/** An identity as it sees itself, with its session. */
export const identityLoginSchema = answerOf(
  ownIdentityFields,
  {
    title: 'IdentityLogin',
    description: 'An identity as it sees itself, with its new session.',
  },
  {
    token: { ...text, description: 'The session, for `x-identity-token`; no other response has it.' },
    expiresAt: { ...time, description: 'The end of the session.' },
  },
)
