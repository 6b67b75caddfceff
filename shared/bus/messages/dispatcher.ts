import Joi from 'joi'
import type { Hint } from '#shared/domain/realtime/hints.ts'
import { hintsOfAccount, id, text } from './fields.ts'

/** Requests and broadcasts between the gateway and the dispatchers. */

/** Whether a URL may be called and answers. Accounts take turns. */
export type Probe = { accountId: string; url: string }
export type ProbeFailure = 'invalid' | 'not-https' | 'private-address' | 'unresolvable' | 'unreachable' | 'tls'
export type ProbeAnswer = { refused: ProbeFailure | null }
export type Presence = Record<string, never>
export type Wake = { webhookId: string }
export type More = { webhookIds: string[] }
/** The outcomes of deliveries of an account that has streams, and its webhooks that were disabled or fall behind. */
export type DeliveryHints = { accountId: string; hints: Hint[] }
export type Settled = { deliveryId: string }

export const probe = Joi.object<Probe, true>({ accountId: id, url: text })
export const presence = Joi.object<Presence>({})

/** The answer to each subject. */
export const dispatcherAnswers = {
  'dispatcher.probe': Joi.object<ProbeAnswer>({
    refused: Joi.valid(
      null,
      'invalid',
      'not-https',
      'private-address',
      'unresolvable',
      'unreachable',
      'tls',
    ).required(),
  }),
  /** Any answer means that a dispatcher is running. */
  'dispatcher.present': Joi.object<Presence>({}),
} as const

export const dispatcherBroadcasts = {
  /** Doorbell: a webhook has something due. */
  'dispatcher.wake': Joi.object<Wake, true>({ webhookId: id }),
  /** These webhooks have more deliveries: a dispatcher that serves one of them writes its outcome at once. */
  'dispatcher.more': Joi.object<More, true>({ webhookIds: Joi.array().items(id).required() }),
  /** A webhook is removed from service: the dispatcher that serves it drops its open request and releases its lease. */
  'dispatcher.stop': Joi.object<Wake, true>({ webhookId: id }),
  /** Hints for the streams of viewers. */
  'dispatcher.hints': Joi.object<DeliveryHints, true>({ accountId: id, hints: hintsOfAccount }),
  /** A ping has settled: the gateway that waits for it reads its outcome. */
  'dispatcher.settled': Joi.object<Settled, true>({ deliveryId: id }),
} as const
