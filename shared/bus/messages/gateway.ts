import Joi from 'joi'
import type { MonthCounts } from '#shared/domain/plan/rates.ts'
import type { Hint } from '#shared/domain/realtime/hints.ts'
import { hintsOfAccount, id, text } from './fields.ts'

/** The requests of accounts that a gateway has counted, for the limits of other gateways. */
export type GatewayRequests = {
  /** Which gateway it is. */
  instance: string
  /** The admitted requests since its last message, by account and identity. */
  counts: { key: string; count: number }[]
  /** `unsettled`: requests of the month that it has not stored yet; `stored`: the known stored requests of all gateways. */
  months: {
    accountId: string
    month: number
    unsettled: number
    stored: (MonthCounts & { credits: number }) | null
  }[]
}

/** Accounts with a commit that changed a realtime list. */
export type RealtimeCommitted = { accountIds: string[] }

/** How many streams accounts have on a gateway. */
export type GatewayStreams = { instance: string; counts: { accountId: string; count: number }[] }

/** Hints about the commits of a gateway, for streams on other gateways. */
export type GatewayHints = { instance: string; accountId: string; hints: Hint[] }

const count = Joi.number().integer().required()

/** Broadcasts between gateways. */
export const gatewayBroadcasts = {
  /** Doorbell: there is an index to build. */
  'gateway.build': Joi.object<Record<string, never>>({}),
  /** Doorbell: there are new events for streams of these accounts. */
  'gateway.realtime': Joi.object<RealtimeCommitted, true>({ accountIds: Joi.array().items(id).required() }),
  /** Hints for the streams of viewers. */
  'gateway.hints': Joi.object<GatewayHints, true>({
    instance: text,
    accountId: id,
    hints: hintsOfAccount,
  }),
  /** Counts of streams. */
  'gateway.streams': Joi.object<GatewayStreams, true>({
    instance: text,
    counts: Joi.array()
      .items(Joi.object({ accountId: id, count }))
      .required(),
  }),
  /** Counts of requests. */
  'gateway.requests': Joi.object<GatewayRequests, true>({
    instance: text,
    counts: Joi.array()
      .items(Joi.object({ key: text, count }))
      .required(),
    months: Joi.array()
      .items(
        Joi.object({
          accountId: id,
          month: count,
          unsettled: count,
          stored: Joi.object({ requests: count, blocked: count, credits: count }).allow(null).required(),
        }),
      )
      .required(),
  }),
} as const
