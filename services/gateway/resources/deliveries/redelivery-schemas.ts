import Joi from 'joi'
import type { JsonSchema } from '#shared/domain/fields/json-schema.ts'
import { type SettledStatus, settledStatuses } from '#shared/domain/webhook/deliveries/redelivery.ts'
import type { ApiRequest } from '../../request/api-request.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import { joi, printSchema } from '../../schemas/joi.ts'
import { queryBoolean, queryDate } from '../../schemas/query-schemas.ts'
import type { DeliveryQuery } from './delivery-filters.ts'
import type { Redelivery } from './redeliver-matching.ts'
import { deliveryFilters, eventFilter, webhookId } from './schemas.ts'

type RedeliverBody = DeliveryQuery & {
  status: SettledStatus
  /** As `startAt` and `endAt`. */
  since?: number
  until?: number
  after?: string
  dryRun?: boolean
}

const sinceDate = queryDate('The earliest creation, as `startAt`, required without another filter')

const redeliverFields = {
  ...deliveryFilters,
  status: Joi.valid(...settledStatuses)
    .required()
    .description('Which deliveries are sent again: those that failed for good, or those that succeeded too.'),
  since: sinceSchema(),
  until: queryDate('The latest creation, as `endAt`'),
  event: eventFilter,
  after: Joi.string().max(1_000).description('The `next` of the previous call: continues where that one ended.'),
  dryRun: Joi.boolean().description('As the parameter of the same name.'),
}

/** Body of POST /webhooks/{webhook}/deliveries/redeliver. */
export const redeliverBody = joi.object<RedeliverBody>(redeliverFields).prints(plainSince)

/** Body of POST /deliveries/redeliver. */
export const redeliverAllBody = joi
  .object<RedeliverBody & { webhookId?: string }>({
    ...redeliverFields,
    webhookId,
  })
  .prints(plainSince)

/** Query of both. */
export const redeliverQuery = joi.object<{ dryRun: boolean }>({
  dryRun: queryBoolean().default(false).description('Counts the deliveries that would be sent again, and sends none.'),
})

/** A call that would send everything again must name a start time or another filter. */
function sinceSchema(): Joi.Schema {
  const others = ['until', 'event', ...Object.keys(deliveryFilters)]
  return others.reduceRight<Joi.Schema>(
    (otherwise, name) => sinceDate.when(name, { is: Joi.exist(), otherwise }),
    sinceDate.required(),
  )
}

/** Prints `since` once: for the schema with conditions, joi prints a choice for each other filter. */
function plainSince({ properties, ...schema }: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...Object(properties), since: printSchema(sinceDate) } }
}

/** `since` and `until` are other names of the bounds of creation; if both forms are given, both apply. */
export function redeliveryOf({
  principal,
  query,
  body: { status, since, until, startAt, endAt, after, dryRun, webhookId, ...others },
}: ApiRequest<UserPrincipal, object, { dryRun: boolean }, RedeliverBody & { webhookId?: string }>): Redelivery {
  const from = Math.max(since ?? 0, startAt ?? 0)
  const filters = {
    ...others,
    ...((since ?? startAt) !== undefined && { startAt: from }),
    ...((until ?? endAt) !== undefined && { endAt: Math.min(until ?? Infinity, endAt ?? Infinity) }),
  }
  return {
    accountId: principal.accountId,
    ...(webhookId !== undefined && { webhookId }),
    status,
    filters,
    ...(after !== undefined && { after }),
    dryRun: query.dryRun || dryRun === true,
  }
}
