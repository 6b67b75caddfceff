import Joi from 'joi'
import type { Actor } from '#shared/domain/actor.ts'
import type { OwnChange } from '#shared/domain/identity/own-change.ts'
import type { LoginIdentifier } from '#shared/domain/identity/sign-in.ts'
import type { Hint } from '#shared/domain/realtime/hints.ts'
import { hash, hintsOfAccount, id, text, time } from './fields.ts'

/** Requests from the gateway to identity, and the broadcasts of identity. */

/** How long a request waits for a password to be hashed: the slowest hash at the end of the longest queue takes less. */
export const hashingTimeoutMs = 15_000

export type UserLogin = { email: string; password: string; clientAddress: string }
/** `expiresAt` in epoch milliseconds. */
export type UserLoginAnswer = { userId: string; accountId: string; token: string; expiresAt: number }
/** Creates the first user. The set-up token travels as its hash. */
export type UserSetup = { tokenHash: string; email: string; password: string }
/** The first user, signed in, with an API token that allows everything. */
export type UserSetupAnswer = UserLoginAnswer & { apiToken: string }
/** Changes a signed-in user, whose other sessions end. Names and addresses are in their normal form. */
export type UserUpdate = {
  accountId: string
  userId: string
  /** The session that continues. */
  sessionId: string
  currentPassword: string
  changes: { displayName?: string | null; email?: string; password?: string }
  clientAddress: string
  actor: Actor
}
export type UserUpdateAnswer = { userId: string }
/**
 * Everything in its normal form; `group` null is the ungrouped space, `password` null: it cannot sign in with one. The other
 * fields are what only the account sets. `actor` is for the event log. `clientAddress`: of one who registers with an API token, which
 * is limited. `maxIdentities`: the most that the account may have; absent: any number.
 */
export type IdentityRegister = {
  accountId: string
  group: string | null
  name: string
  displayName: string
  email: string | null
  password: string | null
  actor: Actor
  emailVerified?: boolean
  tags?: string[]
  activated?: boolean
  clientAddress?: string
  maxIdentities?: number
}
export type IdentityRegisterAnswer = { identityId: string }
/** A new password to hash, for the writer of its identity. */
export type PasswordHash = { password: string }
export type PasswordHashAnswer = { passwordHash: string }
/** As the client sent it. `permitted`: whether the request's API token may sign this identity in. */
export type IdentityLogin = {
  accountId: string
  who: LoginIdentifier
  password: string
  permitted: boolean
  clientAddress: string
}
/** `expiresAt` in epoch milliseconds. */
export type IdentityLoginAnswer = { identityId: string; token: string; expiresAt: number }
/**
 * An identity changes itself. `currentPassword` null: none was given. `sessionHash`: of the token of the session in which it
 * does so, which a new password does not end.
 */
export type IdentityUpdateSelf = {
  accountId: string
  identityId: string
  change: OwnChange
  currentPassword: string | null
  sessionHash: string
  clientAddress: string
  actor: Actor
}
/** The reset token travels as its hash. */
export type IdentityResetPassword = { accountId: string; tokenHash: string; password: string; actor: Actor }
export type IdentityChangeAnswer = { identityId: string }

const group = text.allow('', null)
const loginIdentifier = Joi.alternatives<LoginIdentifier>()
  .try(Joi.object({ group, name: text.allow('') }), Joi.object({ group, email: text.allow('') }))
  .required()
const actor = Joi.alternatives<Actor>()
  .try(
    Joi.object({ authMode: Joi.valid('token').required(), tokenId: id, identityId: id.allow(null) }),
    Joi.object({ authMode: Joi.valid('user').required(), tokenId: null, identityId: null, userId: id.optional() }),
  )
  .required()

export const userLogin = Joi.object<UserLogin, true>({
  email: text.allow(''),
  password: text.allow(''),
  clientAddress: text.allow(''),
})
export const userSetup = Joi.object<UserSetup, true>({ tokenHash: hash, email: text, password: text })
export const userUpdate = Joi.object<UserUpdate, true>({
  accountId: id,
  userId: id,
  sessionId: id,
  currentPassword: text.allow(''),
  changes: Joi.object({
    displayName: text.allow(null).optional(),
    email: text.optional(),
    password: text.optional(),
  }).required(),
  clientAddress: text.allow(''),
  actor,
})
export const identityRegister = Joi.object<IdentityRegister, true>({
  accountId: id,
  group: text.allow(null),
  name: text,
  displayName: text,
  email: text.allow(null),
  password: text.allow(null),
  actor,
  emailVerified: Joi.boolean(),
  tags: Joi.array().items(Joi.string()),
  activated: Joi.boolean(),
  clientAddress: text.allow('').optional(),
  maxIdentities: Joi.number().integer().min(0),
})
export const passwordHash = Joi.object<PasswordHash, true>({ password: text })
export const identityLogin = Joi.object<IdentityLogin, true>({
  accountId: id,
  who: loginIdentifier,
  password: text.allow(''),
  permitted: Joi.boolean().required(),
  clientAddress: text.allow(''),
})
export const identityUpdateSelf = Joi.object<IdentityUpdateSelf, true>({
  accountId: id,
  identityId: id,
  change: Joi.object<OwnChange>({
    name: text.optional(),
    displayName: text.optional(),
    email: text.optional().allow(null),
    password: text.optional(),
  }).required(),
  currentPassword: text.allow('', null),
  sessionHash: hash,
  clientAddress: text.allow(''),
  actor,
})
export const identityResetPassword = Joi.object<IdentityResetPassword, true>({
  accountId: id,
  tokenHash: hash,
  password: text,
  actor,
})

/** The answer to each subject. */
export const identityAnswers = {
  'identity.user-login': Joi.object<UserLoginAnswer, true>({ userId: id, accountId: id, token: text, expiresAt: time }),
  'identity.setup': Joi.object<UserSetupAnswer, true>({
    userId: id,
    accountId: id,
    token: text,
    expiresAt: time,
    apiToken: text,
  }),
  'identity.user-update': Joi.object<UserUpdateAnswer, true>({ userId: id }),
  'identity.register': Joi.object<IdentityRegisterAnswer, true>({ identityId: id }),
  'identity.hash-password': Joi.object<PasswordHashAnswer, true>({ passwordHash: text }),
  'identity.login': Joi.object<IdentityLoginAnswer, true>({ identityId: id, token: text, expiresAt: time }),
  'identity.update-self': Joi.object<IdentityChangeAnswer, true>({ identityId: id }),
  'identity.reset-password': Joi.object<IdentityChangeAnswer, true>({ identityId: id }),
} as const

/** The changed identities of an account with streams. */
export type IdentityHints = { accountId: string; hints: Hint[] }

export const identityBroadcasts = {
  /** Hints for the streams of viewers. */
  'identity.hints': Joi.object<IdentityHints, true>({ accountId: id, hints: hintsOfAccount }),
} as const
