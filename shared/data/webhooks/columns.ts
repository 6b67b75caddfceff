import { fieldNames, pick } from '#shared/domain/fields/values.ts'
import { webhookFields } from '#shared/domain/webhook/fields.ts'
import { ordersOf } from '../pages/orders.ts'
import { tableOf } from '../sql/table.ts'

/** The columns of a webhook and its queue row, read together. */
export const webhookTable = tableOf('webhooks', webhookFields, {
  columns: {
    id: 'id',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
    url: 'url',
    events: 'events',
    description: 'description',
    listIds: 'list_ids',
    headerNames: 'header_names',
    maxRequestsPerSecond: 'max_requests_per_second',
    activated: 'activated',
    failureCount: 'consecutive_failures',
    disabledAt: 'disabled_at',
    disabledReason: 'disabled_reason',
    waitingCount: 'waiting',
    heldCount: 'held_count',
    heldIsAtLeast: 'held_is_at_least',
    oldestHeldAt: 'oldest_held_at',
    missedCount: 'missed',
    lastDeliveryAt: 'last_delivery_at',
    accountId: 'account_id',
  },
})

/** The fields in the queue row: those that change with every delivery, and the limit that claims observe. */
export const queueFields = [
  'maxRequestsPerSecond',
  'failureCount',
  'waitingCount',
  'missedCount',
  'lastDeliveryAt',
] as const
/** The fields that are computed from the events held for the webhook; a select returns a column for each. */
export const heldFields = ['heldCount', 'heldIsAtLeast', 'oldestHeldAt'] as const
/** The other fields, which are in the webhook's own row. */
export const rowFields = fieldNames(webhookFields).filter(
  (name) => ![...queueFields, ...heldFields].some((other) => other === name),
)

/** The orders of pages of webhooks. */
export const webhookOrders = ordersOf(
  webhookFields,
  pick(webhookTable.columns, [
    ...(['createdAt', 'updatedAt', 'url', 'description', 'activated', 'failureCount'] as const),
    ...(['disabledAt', 'disabledReason', 'waitingCount', 'missedCount', 'lastDeliveryAt'] as const),
    ...(['maxRequestsPerSecond', 'heldCount', 'oldestHeldAt'] as const),
  ]),
)
export type WebhookOrder = keyof typeof webhookOrders
