import Joi from 'joi'
import { tokenFields } from '#shared/domain/token/fields.ts'
import { answerOf, exampleId, exampleTime, id, nullable, objectOf, text, time } from '../../http/response-schemas.ts'

/** Emails and passwords may have any form here: an impossible one gets the same response as a wrong one. */
export const loginBody = Joi.object({
  email: Joi.string().max(1_024).required(),
  password: Joi.string().max(4_096).required(),
}).example({ email: 'ana@listd.example', password: 'correct horse battery staple' })

export type LoginBody = { email: string; password: string }

const stamps = { id, createdAt: time, updatedAt: time }
const exampleStamps = { id: exampleId, createdAt: exampleTime, updatedAt: exampleTime }

const shown = {
  user: objectOf({ ...stamps, email: text, lastLoginAt: nullable(time) }, { title: 'User' }),
  account: objectOf({ ...stamps, name: text, plan: text }, { title: 'Account' }),
}

const exampleSignedIn = {
  user: { ...exampleStamps, email: 'ana@listd.example', lastLoginAt: exampleTime },
  account: { ...exampleStamps, name: 'default', plan: 'scale' },
}

/** The user who is signed in, and the account (contract 2.6). */
export const signedInSchema = objectOf(shown, { title: 'SignedIn', examples: [exampleSignedIn] })

const session = { token: text, expiresAt: time }
const exampleSession = { token: 'listd_session_…', expiresAt: exampleTime }

/** The same with the new session. */
export const loginSchema = objectOf(
  { ...shown, ...session },
  { title: 'UserLogin', examples: [{ ...exampleSignedIn, ...exampleSession }] },
)

const exampleToken = {
  ...{ ...exampleStamps, name: 'First token', description: '', tags: [] },
  permissions: [{ mode: 'allow', action: '*' }],
  ...{ ips: null, expiresAt: null, activated: true, locked: false, lastUsedAt: null, value: 'listd_api_…' },
}

const apiToken = answerOf(
  tokenFields,
  { title: 'ApiTokenWithValue', examples: [exampleToken] },
  { value: { ...text, description: 'The secret; no other response has it.' } },
)

/** The first user with a session, and the first API token. */
export const setupSchema = objectOf(
  { ...shown, ...session, apiToken },
  { title: 'Setup', examples: [{ ...exampleSignedIn, ...exampleSession, apiToken: exampleToken }] },
)

/** The response header of every new session, and of its end. */
export const setCookie = { 'set-cookie': 'The cookie `service_session`, for browsers.' }
