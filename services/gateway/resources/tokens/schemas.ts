import { tokenOrders } from '#shared/data/tokens/columns.ts'
import { tokenFields } from '#shared/domain/token/fields.ts'
import { noEffectYet, withoutEffect } from '#shared/domain/without-effect.ts'
import { updateSchema } from '../../schemas/body-schemas.ts'
import { fieldSchemas } from '../../schemas/field-schemas.ts'
import { joi } from '../../schemas/joi.ts'
import { pageQueryOf } from '../../schemas/page-schemas.ts'
import { answerOf, arrayOf, count, flag, nullable, objectOf, text, time } from '../../schemas/response-schemas.ts'
import type { TokenBody, TokenChanges } from './tokens.ts'

const fields = fieldSchemas(tokenFields, 'create')

/** Body of POST /tokens. A token without rules may do nothing, so the rules are required. */
export const createTokenBody = joi.object<TokenBody>({
  ...fields,
  name: fields.name.required(),
  permissions: fields.permissions.required(),
})

/** Body of PUT /tokens/{token}: any of the fields, at least one. */
export const updateTokenBody = updateSchema<TokenChanges>(fieldSchemas(tokenFields, 'update'))

/** Query of GET /tokens. */
export const listTokensQuery = pageQueryOf(tokenOrders, tokenFields)

const lists = {
  type: 'object',
  additionalProperties: text,
  description: 'The path names of the lists that the rules name, by their ids; at most 2,000.',
} as const

const unknownRules = {
  ...arrayOf(count),
  description:
    'The positions of rules, from 0, that are unknown because an index has changed since they were saved; absent in pages, and if there are none.',
} as const
const optional = ['unknownRules']

/** An API token as users see it, without its value. */
export const tokenSchema = answerOf(
  tokenFields,
  { title: 'ApiToken', description: 'An API token, without its value.', optional },
  { lists, unknownRules },
)

/** The same with its value, which only the responses that issue it have. */
export const tokenWithValueSchema = answerOf(
  tokenFields,
  { title: 'ApiTokenWithValue', description: 'An API token with its value.', optional },
  { lists, unknownRules, value: { ...text, description: 'The secret for `x-api-token`; no other response has it.' } },
)

/** An API token as it sees itself. */
const actingTokenSchema = answerOf(tokenFields, {
  title: 'ActingApiToken',
  description: 'The API token of the request.',
})

const limit = (about: string) => ({
  ...nullable({ type: 'number', minimum: 0 }),
  description: `${about}; null: no limit.`,
})
const counted = (about: string) => ({
  ...nullable({ type: 'number', minimum: 0 }),
  description: `${about}; null: not counted.`,
})

const planProperties = {
  id: { ...text, description: 'The id of the price plan.' },
  name: { ...text, description: 'The name of the price plan, for people.' },
  rateLimit: limit('The minimum number of milliseconds between two requests'),
  maxRequestsPerMinute: limit('The maximum number of requests per minute'),
  maxRequestsPerMonth: limit('The maximum number of requests per month'),
  overdraftPercent: limit('The requests that are allowed beyond those of a month, as a percentage'),
  maxStorageBytes: limit('The maximum number of bytes of the data of all items'),
  maxLists: limit('The maximum number of lists'),
  maxItemsPerList: limit('The maximum number of items in a list'),
  maxIndexesPerList: limit('The maximum number of indexes of a list'),
  maxItemSize: limit("The maximum number of bytes of an item's data"),
  maxItemVersions: limit('The maximum number of versions of an item that can be read'),
  maxTokens: limit('The maximum number of API tokens'),
  maxIdentities: limit('The maximum number of identities'),
  maxWebhooks: limit('The maximum number of webhooks'),
  maxFlows: limit('The maximum number of flows'),
  maxRealtimeConnections: limit('The maximum number of live streams'),
  generativeAPI: { ...nullable(flag), description: 'Whether content may be generated; null: no limit.' },
}
const planWithoutEffect = withoutEffect.plan.map((name) => [
  name,
  { ...planProperties[name], description: `${planProperties[name].description} ${noEffectYet}` },
])

/** A price plan (contract 2.6). */
export const planSchema = objectOf(
  { ...planProperties, ...Object.fromEntries(planWithoutEffect) },
  { title: 'Plan', description: 'A price plan: the limits of an account.' },
)

/** The use of a price plan (contract 2.6). */
export const usageSchema = objectOf(
  {
    periodStart: {
      ...nullable(time),
      description: 'The start of the month that is counted; null: requests are not counted.',
    },
    periodEnd: {
      ...nullable(time),
      description: 'The end of the month that is counted; null: requests are not counted.',
    },
    requestCount: counted('The requests of the month'),
    blockedCount: counted('The requests of the month that a limit rejected'),
    requestAllowance: counted('The requests that the plan allows in the month'),
    requestsRemaining: counted('The requests that are left of the allowance'),
    overdraftAllowance: counted('The requests that are allowed beyond the allowance'),
    credits: counted('The requests that were bought in addition to the plan'),
    storageBytes: {
      ...nullable({ type: 'number', minimum: 0 }),
      description: 'The bytes of data of all items; null: the token is not allowed everything.',
    },
    storageAllowance: limit('The bytes that the plan allows'),
    degraded: {
      ...nullable(flag),
      description: 'Whether the allowance, the overdraft and the credits of the month are used up; null: not counted.',
    },
  },
  {
    title: 'Usage',
    description: 'The usage of an account. Requests are counted if its plan limits them.',
  },
)

/** The token of the request, and the account's plan with its use. */
export const ownTokenSchema = objectOf(
  { token: actingTokenSchema, plan: planSchema, usage: usageSchema },
  {
    title: 'OwnApiToken',
    description: 'The API token of the request, with the plan of its account and the usage.',
  },
)
