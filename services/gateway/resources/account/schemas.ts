import Joi from 'joi'
import { sessionOrders } from '#shared/data/accounts/sessions.ts'
import { displayNameErrors } from '#shared/domain/identity/identity.ts'
import { userFields } from '#shared/domain/identity/user-fields.ts'
import { lengths } from '#shared/domain/limits.ts'
import { sessionCookie } from '../../auth/credential.ts'
import { domainText, emailSchema, newPasswordSchema, updateSelfSchema } from '../../http/body-schemas.ts'
import { pageQuerySchema } from '../../http/page-schemas.ts'
import { answerOf, exampleId, exampleTime, flag, id, objectOf, text, time } from '../../http/response-schemas.ts'
import { exampleTokenWithValue, tokenWithValueSchema } from '../tokens/schemas.ts'

/** Emails and passwords may have any form here: an impossible one gets the same response as a wrong one. */
export const loginBody = Joi.object({
  email: Joi.string().max(1_024).required(),
  password: Joi.string().max(4_096).required(),
}).example({ email: 'ana@listd.example', password: 'correct horse battery staple' })

export type LoginBody = { email: string; password: string }

const stamps = { id, createdAt: time, updatedAt: time }
const exampleStamps = { id: exampleId, createdAt: exampleTime, updatedAt: exampleTime }

const exampleUser = { ...exampleStamps, email: 'ana@listd.example', displayName: 'Ana', lastLoginAt: exampleTime }

const shown = {
  user: answerOf(userFields, { title: 'User', examples: [exampleUser] }),
  account: objectOf({ ...stamps, name: text, plan: text }, { title: 'Account' }),
}

const exampleSignedIn = { user: exampleUser, account: { ...exampleStamps, name: 'default', plan: 'scale' } }

/** The user who is signed in, and the account (contract 2.6). */
export const signedInSchema = objectOf(shown, { title: 'SignedIn', examples: [exampleSignedIn] })

const session = { token: text, expiresAt: time }
const exampleSession = { token: 'listd_session_…', expiresAt: exampleTime }

/** The same with the new session. */
export const loginSchema = objectOf(
  { ...shown, ...session },
  { title: 'UserLogin', examples: [{ ...exampleSignedIn, ...exampleSession }] },
)

/** The first user with a session, and the first API token. */
export const setupSchema = objectOf(
  { ...shown, ...session, apiToken: tokenWithValueSchema },
  { title: 'Setup', examples: [{ ...exampleSignedIn, ...exampleSession, apiToken: exampleTokenWithValue }] },
)

const cookie = { about: 'The cookie `service_session`, for browsers.', pattern: `^${sessionCookie}=` }

/** The response header of every new session, and of the end of that of the request. */
export const setCookie = { 'set-cookie': cookie }
export const setCookieOfCurrent = {
  'set-cookie': { ...cookie, about: `${cookie.about} Absent for another session.`, optional: true },
} as const

/** Body of PUT /auth/self. */
export const updateSelfBody = updateSelfSchema({
  displayName: domainText(displayNameErrors, { maxLength: lengths.name }).allow(null),
  email: emailSchema(),
  password: newPasswordSchema(),
}).example({ displayName: 'Ana' })

/** Query of GET /auth/self/sessions. */
export const ownSessionsQuery = pageQuerySchema({ orders: Object.keys(sessionOrders), filters: {} })

/** A session of a user. */
export const sessionSchema = objectOf(
  { id, createdAt: time, expiresAt: time, current: { ...flag, description: 'Whether it is that of the request.' } },
  {
    title: 'UserSession',
    examples: [{ id: exampleId, createdAt: exampleTime, expiresAt: '2026-03-08T10:00:00.000Z', current: true }],
  },
)
