import Joi from 'joi'
import { sessionOrders } from '#shared/data/users/sessions.ts'
import { anyObject } from '#shared/domain/fields/json-schema.ts'
import { displayNameErrors } from '#shared/domain/identity/identity.ts'
import { lengths } from '#shared/domain/limits.ts'
import { userFields } from '#shared/domain/user/fields.ts'
import { sessionCookie } from '../../auth/credential.ts'
import { domainText, emailSchema, newPasswordSchema, updateSelfSchema } from '../../schemas/body-schemas.ts'
import { joi } from '../../schemas/joi.ts'
import { pageQueryOf } from '../../schemas/page-schemas.ts'
import { queryBoolean } from '../../schemas/query-schemas.ts'
import { answerOf, flag, objectOf, stamps, text, time } from '../../schemas/response-schemas.ts'
import { planSchema, tokenWithValueSchema, usageSchema } from '../tokens/schemas.ts'
import type { SelfBody } from './own-user.ts'

/** Emails and passwords may have any form here: an impossible one gets the same response as a wrong one. */
export const loginBody = joi.object<LoginBody>({
  email: Joi.string().max(1_024).required().description(userFields.email.about),
  password: Joi.string().max(4_096).required().description('The password of the user.'),
})

type LoginBody = { email: string; password: string }

const shown = {
  user: answerOf(userFields, {
    title: 'User',
    description: 'A person who signs in and may do everything in the account.',
  }),
  account: objectOf(
    {
      ...stamps,
      name: { ...text, description: 'The name of the account.' },
      plan: { ...text, description: 'The id of its price plan.' },
    },
    { title: 'Account', description: 'The tenant that owns lists, identities, tokens and webhooks.' },
  ),
}

/** The signed-in user, the account with its plan and the use of it, and the version of the service (contract 2.6). */
export const signedInSchema = objectOf(
  { ...shown, plan: planSchema, usage: usageSchema, version: { ...text, description: 'The version of the service.' } },
  {
    title: 'SignedIn',
    description: 'The user who is signed in, the account with its plan and usage, and the version of the service.',
  },
)

const session = {
  token: { ...text, description: 'The session, for `authorization: Bearer`; no other response has it.' },
  expiresAt: { ...time, description: 'The end of the session.' },
}

/** The user and the account, with the new session. */
export const loginSchema = objectOf(
  { ...shown, ...session },
  {
    title: 'UserLogin',
    description: 'The user, the account and the new session.',
  },
)

/** The first user with a session, and the first API token. */
export const setupSchema = objectOf(
  { ...shown, ...session, apiToken: tokenWithValueSchema },
  {
    title: 'Setup',
    description: 'The first user with a session, and the first API token.',
  },
)

const cookie = { about: 'The cookie `service_session`, for browsers.', pattern: `^${sessionCookie}=` }

/** The response header that sets the cookie of a new session, or deletes it when the session of the request ends. */
export const setCookie = { 'set-cookie': cookie }
export const setCookieOfCurrent = {
  'set-cookie': { ...cookie, about: `${cookie.about} Absent for another session.`, optional: true },
} as const

/** Query of GET /auth/self. */
export const selfQuery = joi.object<{ optional: boolean }>({
  optional: queryBoolean()
    .default(false)
    .description('Returns 200 if nobody is signed in, instead of 401, which browsers report as an error.'),
})

/** The answer when nobody is signed in and the request accepts that. */
export const nobodySchema = objectOf(
  { user: { type: 'null', description: 'Nobody is signed in.' } },
  { title: 'Nobody', description: 'The answer with `optional=true` if nobody is signed in.' },
)

/** Body of PUT /auth/self. */
export const updateSelfBody = updateSelfSchema<SelfBody>({
  displayName: domainText(displayNameErrors, { maxLength: lengths.name })
    .allow(null)
    .description(userFields.displayName.about),
  email: emailSchema().description(userFields.email.about),
  password: newPasswordSchema(),
})

/** The object that the dashboard stores for the user: any JSON object. */
export const preferencesSchema = {
  ...anyObject,
  title: 'Preferences',
  description: 'A JSON object that the dashboard keeps for the user; the service does not interpret it.',
}

/** Query of GET /auth/self/sessions. */
export const ownSessionsQuery = pageQueryOf(sessionOrders, {})

/** A session of a user. */
export const sessionSchema = objectOf(
  {
    id: stamps.id,
    createdAt: stamps.createdAt,
    expiresAt: { ...time, description: 'The end of the session.' },
    current: { ...flag, description: 'Whether the request was sent with this session.' },
  },
  {
    title: 'UserSession',
    description: 'A session of a user.',
  },
)
