import Joi from 'joi'
import type { Actor } from '#shared/domain/actor.ts'
import type { LoginIdentifier } from '#shared/domain/identity/sign-in.ts'

/** Every message between processes: its subject, its shape, and the shape of its answer. Ids and hashes only, no payloads. */

export type UserLogin = { email: string; password: string; clientAddress: string }
/** `expiresAt` in epoch milliseconds. */
export type UserLoginAnswer = { userId: string; accountId: string; token: string; expiresAt: number }
/** The set-up token is known by its hash. The first user, who is signed in, with an API token that allows everything. */
export type UserSetup = { tokenHash: string; email: string; password: string }
export type UserSetupAnswer = UserLoginAnswer & { apiToken: string }
/** Everything in its normal form; `group` null is the ungrouped space. `actor` is who asks, for the event log. */
export type IdentityRegister = {
  accountId: string
  group: string | null
  name: string
  displayName: string
  email: string | null
  password: string
  actor: Actor
}
export type IdentityRegisterAnswer = { identityId: string }
/** As it was sent. `permitted`: whether the token that asks may sign this identity in. */
export type IdentityLogin = {
  accountId: string
  who: LoginIdentifier
  password: string
  permitted: boolean
  clientAddress: string
}
/** `expiresAt` in epoch milliseconds. */
export type IdentityLoginAnswer = { identityId: string; token: string; expiresAt: number }
export type Probe = { url: string }
export type ProbeRefusal = 'invalid' | 'not-https' | 'private-address' | 'unresolvable' | 'unreachable' | 'tls'
export type ProbeAnswer = { refused: ProbeRefusal | null }
export type Presence = Record<string, never>
export type Wake = { webhookId: string }
export type Settled = { deliveryId: string }
export type Revoked = { tokenHash: string }
export type IdentityRevoked = { identityId: string }

const text = Joi.string().max(4_096).required()
const hash = Joi.string().hex().length(64).required()
const id = Joi.string().max(36).required()

const group = text.allow('', null)
const signInName = Joi.alternatives<LoginIdentifier>()
  .try(Joi.object({ group, name: text.allow('') }), Joi.object({ group, email: text.allow('') }))
  .required()
const actor = Joi.alternatives<Actor>()
  .try(
    Joi.object({ authMode: Joi.valid('token').required(), tokenId: id, identityId: id.allow(null) }),
    Joi.object({ authMode: Joi.valid('user').required(), tokenId: null, identityId: null }),
  )
  .required()

export const userLogin = Joi.object<UserLogin, true>({
  email: text.allow(''),
  password: text.allow(''),
  clientAddress: text.allow(''),
})
export const userSetup = Joi.object<UserSetup, true>({ tokenHash: hash, email: text, password: text })
export const identityRegister = Joi.object<IdentityRegister, true>({
  accountId: id,
  group: text.allow(null),
  name: text,
  displayName: text,
  email: text.allow(null),
  password: text,
  actor,
})
export const identityLogin = Joi.object<IdentityLogin, true>({
  accountId: id,
  who: signInName,
  password: text.allow(''),
  permitted: Joi.boolean().required(),
  clientAddress: text.allow(''),
})
export const probe = Joi.object<Probe, true>({ url: text })
export const presence = Joi.object<Presence>({})

const userLoginAnswer = Joi.object<UserLoginAnswer, true>({
  userId: id,
  accountId: id,
  token: text,
  expiresAt: Joi.number().required(),
})
const userSetupAnswer = Joi.object<UserSetupAnswer, true>({
  userId: id,
  accountId: id,
  token: text,
  expiresAt: Joi.number().required(),
  apiToken: text,
})
const identityRegisterAnswer = Joi.object<IdentityRegisterAnswer, true>({ identityId: id })
const identityLoginAnswer = Joi.object<IdentityLoginAnswer, true>({
  identityId: id,
  token: text,
  expiresAt: Joi.number().required(),
})
const probeAnswer = Joi.object<ProbeAnswer>({
  refused: Joi.valid(null, 'invalid', 'not-https', 'private-address', 'unresolvable', 'unreachable', 'tls').required(),
})

/** Asked of one process and answered by it; here the shape of the answer. */
export const responseSchemas = {
  'identity.user-login': userLoginAnswer,
  'identity.setup': userSetupAnswer,
  'identity.register': identityRegisterAnswer,
  'identity.login': identityLoginAnswer,
  'dispatcher.probe': probeAnswer,
  /** Whether any dispatcher is there. */
  'dispatcher.present': Joi.object<Presence>({}),
} as const

/** Told to every process that listens, and lost while NATS is away. */
export const broadcasts = {
  /** Doorbell: a webhook has something due. */
  'dispatcher.wake': Joi.object<Wake, true>({ webhookId: id }),
  /** A webhook is taken out of service: whoever serves it drops its open request and gives its lease back. */
  'dispatcher.stop': Joi.object<Wake, true>({ webhookId: id }),
  /** A ping has settled: whoever waits for it looks. */
  'dispatcher.settled': Joi.object<Settled, true>({ deliveryId: id }),
  /** A session or token has ended; whoever keeps it in memory drops it. */
  revoked: Joi.object<Revoked, true>({ tokenHash: hash }),
  /** Every session of an identity may have ended; whoever keeps anything of it in memory drops that. */
  'revoked-identity': Joi.object<IdentityRevoked, true>({ identityId: id }),
} as const

/** The group of events of one commit, on the stream. */
export type EventGroup = { requestId: string; eventIds: string[] }
export const eventGroup = Joi.object<EventGroup, true>({
  requestId: Joi.string().allow('').required(),
  eventIds: Joi.array().items(Joi.string().required()).required(),
})

export type RequestSubject = keyof typeof responseSchemas
export type BroadcastSubject = keyof typeof broadcasts
