import Joi from 'joi'
import { idPattern, isId } from '#shared/domain/id.ts'
import { maxWebhookLists } from '#shared/domain/limits.ts'
import { itemEventTypes } from '#shared/domain/webhook/webhook.ts'
import { descriptionSchema, patternText } from '../../http/body-schemas.ts'
import { pageQuerySchema, textFilterSchema } from '../../http/page-schemas.ts'
import { queryBoolean } from '../../http/query.ts'
import { webhookOrders } from './list-webhooks.ts'

const listId = patternText(isId, { message: 'must be the id of a list', pattern: idPattern })

const fields = {
  /** Any form is accepted here: an invalid url gets WEBHOOK_URL_REFUSED, with the reason. */
  url: Joi.string().allow(''),
  events: Joi.array().items(Joi.valid(...itemEventTypes)),
  description: descriptionSchema(),
  listIds: Joi.array().items(listId).max(maxWebhookLists),
  activated: Joi.boolean(),
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
