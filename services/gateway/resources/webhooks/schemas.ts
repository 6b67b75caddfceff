import Joi from 'joi'
import { webhookFields } from '#shared/domain/webhook/fields.ts'
import { fieldSchemas } from '../../http/field-schemas.ts'
import { pageQuerySchema, textFilterSchema } from '../../http/page-schemas.ts'
import { queryBoolean } from '../../http/query.ts'
import { webhookOrders } from './list-webhooks.ts'

const fields = {
  ...fieldSchemas(webhookFields, 'create'),
  /** Any form is accepted here: an invalid url gets WEBHOOK_URL_REFUSED, with the reason. */
  url: Joi.string().allow(''),
}

/** Body of POST /webhooks. */
export const createWebhookBody = Joi.object({
  ...fields,
  url: fields.url.required(),
  events: fields.events.required(),
})

/** Body of PUT /webhooks/{webhook}: any of the fields, at least one. */
export const updateWebhookBody = Joi.object(fields)
  .min(1)
  .messages({ 'object.min': 'Name at least one property to change.' })

/** Query of GET /webhooks. */
export const listWebhooksQuery = pageQuerySchema({
  orders: Object.keys(webhookOrders),
  filters: { description: textFilterSchema(), activated: queryBoolean() },
})
