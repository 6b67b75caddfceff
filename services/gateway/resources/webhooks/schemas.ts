import Joi from 'joi'
import { webhookOrders } from '#shared/data/webhooks/columns.ts'
import { anyObject } from '#shared/domain/fields/json-schema.ts'
import { whereBounds } from '#shared/domain/item/questions/where.ts'
import { lengths, maxWebhookFilterLength, maxWebhookFilters, maxWebhookHeaders } from '#shared/domain/limits.ts'
import { headerNamePattern, headerValuePattern } from '#shared/domain/webhook/deliveries/headers.ts'
import { type WebhookBody, webhookFields } from '#shared/domain/webhook/fields.ts'
import { updateSchema } from '../../schemas/body-schemas.ts'
import { fieldSchemas } from '../../schemas/field-schemas.ts'
import { joi } from '../../schemas/joi.ts'
import { pageQueryOf } from '../../schemas/page-schemas.ts'
import { answerOf, text } from '../../schemas/response-schemas.ts'
import { warningsSchema } from '../../schemas/warnings.ts'
import type { NewWebhook } from './webhook-settings.ts'

const aboutWhere =
  'Conditions by the path names of lists, each like `where` of pages, on indexes, `activated`, `tagged` and `readonly`. Of these lists, only events that pass are sent; of other lists, all events.'

const filter = [
  { ...text, minLength: 1, maxLength: maxWebhookFilterLength, pattern: '^[^\\u0000]*$' },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'null' },
]

/** The values of `or`, `and` and `not` are described as any objects: generated types cannot name them next to the names of indexes. */
const conditions = {
  anyOf: [
    ...filter,
    { type: 'array', minItems: 1, maxItems: whereBounds.leaves, items: { anyOf: [...filter, anyObject] } },
    anyObject,
  ],
}

const whereAnswer = {
  type: 'object',
  additionalProperties: { type: 'object', minProperties: 1, additionalProperties: conditions },
}

const fields = {
  ...fieldSchemas(webhookFields, 'create'),
  /** Any form is accepted here: an invalid url gets WEBHOOK_URL_REFUSED, with the reason. */
  url: Joi.string().allow('').description(webhookFields.url.about),
  headers: headersSchema(),
  where: whereSchema(),
}

/** Names and values are checked where the prefix of the service's own headers is known. */
function headersSchema(): Joi.Schema {
  return joi
    .object({})
    .pattern(Joi.string(), joi.string().max(lengths.headerValue).allow(''))
    .max(maxWebhookHeaders)
    .prints({
      type: 'object',
      maxProperties: maxWebhookHeaders,
      propertyNames: { maxLength: lengths.headerName, pattern: headerNamePattern },
      additionalProperties: { type: 'string', maxLength: lengths.headerValue, pattern: headerValuePattern },
    })
    .description(
      'Headers of its requests, such as `authorization`; they replace all earlier ones. No answer shows their values.',
    )
}

/** Lists and indexes are looked up, and filters parsed, where the account is known. */
function whereSchema(): Joi.Schema {
  return joi
    .object({})
    .pattern(Joi.string(), Joi.object().unknown().min(1))
    .max(maxWebhookFilters)
    .prints(({ patternProperties: _any, ...printed }) => ({
      ...printed,
      ...whereAnswer,
      maxProperties: maxWebhookFilters,
    }))
    .description(aboutWhere)
}

/** Body of POST /webhooks. */
export const createWebhookBody = joi.object<NewWebhook>({
  ...fields,
  url: fields.url.required(),
  events: fields.events.required(),
})

/** Body of PUT /webhooks/{webhook}: any of the fields, at least one. */
export const updateWebhookBody = updateSchema<WebhookBody>(fields)

/** Query of GET /webhooks. */
export const listWebhooksQuery = pageQueryOf(webhookOrders, webhookFields)

const where = { ...whereAnswer, description: aboutWhere }

/** A webhook (contract 2.7). */
export const webhookSchema = answerOf(
  webhookFields,
  { title: 'Webhook', description: 'The registration of a URL that item events are sent to.' },
  { where },
)

/** A webhook that was changed. */
export const writtenWebhookSchema = answerOf(
  webhookFields,
  { title: 'WrittenWebhook', description: 'A webhook that was changed.', optional: ['warnings'] },
  { where, warnings: warningsSchema },
)

/** The same with its signing secret, which only the responses that issue it have. */
export const webhookWithSecretSchema = answerOf(
  webhookFields,
  {
    title: 'WebhookWithSecret',
    description: 'A webhook with its signing secret.',
  },
  { where, secret: { ...text, pattern: '^whsec_', description: 'The key of signatures; no other response has it.' } },
)
