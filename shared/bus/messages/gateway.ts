import Joi from 'joi'
import type { MonthCounts } from '#shared/domain/plan/rates.ts'
import type { Hint } from '#shared/domain/realtime/hints.ts'
import { hintsOfAccount, id, text } from './fields.ts'

/** What a gateway has counted of the requests of accounts, for the limits of the others. */
export type GatewayRequests = {
  /** Which gateway it is. */
  instance: string
  /** The requests that it has admitted since its last message, by account and by identity. */
  counts: { key: string; count: number }[]
  /** `unsettled`: those of the month that it has not stored yet; `stored`: what it knows to be stored of all gateways. */
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

/** What a gateway has committed of accounts that have streams on others. */
export type GatewayHints = { instance: string; accountId: string; hints: Hint[] }

const count = Joi.number().integer().required()

/** Broadcasts between gateways. */
export const gatewayBroadcasts = {
  /** Doorbell: there is an index to build. */
  'gateway.build': Joi.object<Record<string, never>>({}),
  /** Doorbell: streams of these accounts have something to read. */
  'gateway.realtime': Joi.object<RealtimeCommitted, true>({ accountIds: Joi.array().items(id).required() }),
  /** What has changed, for the streams of its viewers. */
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
