import Joi from 'joi'

/** Every message between processes: its subject, its shape, and the shape of its answer. Ids and hashes only, no payloads. */

export type UserLogin = { email: string; password: string; clientAddress: string }
/** `expiresAt` in epoch milliseconds. */
export type UserLoginAnswer = { userId: string; accountId: string; token: string; expiresAt: number }
export type UserLogout = { tokenHash: string }
export type UserLogoutAnswer = Record<string, never>
export type Probe = { url: string }
export type ProbeRefusal = 'invalid' | 'not-https' | 'private-address' | 'unresolvable' | 'unreachable' | 'tls'
export type ProbeAnswer = { refused: ProbeRefusal | null }
export type Wake = { webhookId: string }
export type Revoked = { tokenHash: string }

const text = Joi.string().max(4_096).required()
const hash = Joi.string().hex().length(64).required()
const id = Joi.string().max(36).required()

export const userLogin = Joi.object<UserLogin, true>({
  email: text.allow(''),
  password: text.allow(''),
  clientAddress: text.allow(''),
})
export const userLogout = Joi.object<UserLogout, true>({ tokenHash: hash })
export const probe = Joi.object<Probe, true>({ url: text })

const userLoginAnswer = Joi.object<UserLoginAnswer, true>({
  userId: id,
  accountId: id,
  token: text,
  expiresAt: Joi.number().required(),
})
const probeAnswer = Joi.object<ProbeAnswer>({
  refused: Joi.valid(null, 'invalid', 'not-https', 'private-address', 'unresolvable', 'unreachable', 'tls').required(),
})

/** Asked of one process and answered by it; here the shape of the answer. */
export const answers = {
  'identity.user-login': userLoginAnswer,
  'identity.user-logout': Joi.object<UserLogoutAnswer>({}),
  'dispatcher.probe': probeAnswer,
} as const

/** Told to every process that listens, and lost while NATS is away. */
export const broadcasts = {
  /** Doorbell: a webhook has something due. */
  'dispatcher.wake': Joi.object<Wake, true>({ webhookId: id }),
  /** A webhook is taken out of service: whoever serves it drops its open request and gives its turn back. */
  'dispatcher.stop': Joi.object<Wake, true>({ webhookId: id }),
  /** A session or token has ended; whoever keeps it in memory drops it. */
  revoked: Joi.object<Revoked, true>({ tokenHash: hash }),
} as const

/** The group of events of one commit, on the stream. */
export type EventGroup = { requestId: string; eventIds: string[] }
export const eventGroup = Joi.object<EventGroup, true>({
  requestId: Joi.string().allow('').required(),
  eventIds: Joi.array().items(Joi.string().required()).required(),
})

export type RequestSubject = keyof typeof answers
export type BroadcastSubject = keyof typeof broadcasts
