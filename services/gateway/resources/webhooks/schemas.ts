import Joi from 'joi'
import { webhookOrders } from '#shared/data/webhooks/columns.ts'
import { webhookFields } from '#shared/domain/webhook/fields.ts'
import { updateSchema } from '../../http/body-schemas.ts'
import { fieldSchemas } from '../../http/field-schemas.ts'
import { filterSchemas, pageQuerySchema } from '../../http/page-schemas.ts'
import { answerOf, exampleId, exampleTime, text } from '../../http/response-schemas.ts'

const fields = {
  ...fieldSchemas(webhookFields, 'create'),
  /** Any form is accepted here: an invalid url gets WEBHOOK_URL_REFUSED, with the reason. */
  url: Joi.string().allow('').description(webhookFields.url.about),
}

const exampleFields = { url: 'https://receiver.example/hook', events: ['item.created'], listIds: [exampleId] }

/** Body of POST /webhooks. */
export const createWebhookBody = Joi.object({
  ...fields,
  url: fields.url.required(),
  events: fields.events.required(),
}).example(exampleFields)

/** Body of PUT /webhooks/{webhook}: any of the fields, at least one. */
export const updateWebhookBody = updateSchema(fields).example({ activated: false })

/** Query of GET /webhooks. */
export const listWebhooksQuery = pageQuerySchema({
  orders: Object.keys(webhookOrders),
  filters: filterSchemas(webhookFields),
})

const exampleWebhook = {
  ...{ id: exampleId, createdAt: exampleTime, updatedAt: exampleTime },
  ...{ ...exampleFields, description: '', activated: true },
  ...{ failureCount: 0, disabledAt: null, disabledReason: null, waitingCount: 0, missedCount: 0, lastDeliveryAt: null },
}

/** A webhook (contract 2.7). */
export const webhookSchema = answerOf(webhookFields, {
  title: 'Webhook',
  description: 'The registration of a url that item events are sent to.',
  examples: [exampleWebhook],
})

/** The same with its signing secret, which no other response has. */
export const webhookWithSecretSchema = answerOf(
  webhookFields,
  {
    title: 'WebhookWithSecret',
    description: 'A webhook with its signing secret.',
    examples: [{ ...exampleWebhook, secret: 'whsec_bGlzdGQgbmV2ZXIgc2VuZHMgdGhpcyBzZWNyZXQuLi4=' }],
  },
  { secret: { ...text, pattern: '^whsec_', description: 'The key of signatures; no other response has it.' } },
)
