import Joi from 'joi'
import { tokenOrders } from '#shared/data/accounts/token-columns.ts'
import { tokenFields } from '#shared/domain/token/fields.ts'
import { noEffectYet, withoutEffect } from '#shared/domain/without-effect.ts'
import { updateSchema } from '../../http/body-schemas.ts'
import { fieldSchemas } from '../../http/field-schemas.ts'
import { filterSchemas, pageQuerySchema } from '../../http/page-schemas.ts'
import { answerOf, exampleId, exampleTime, flag, nullable, objectOf, text, time } from '../../http/response-schemas.ts'

const fields = fieldSchemas(tokenFields, 'create')
const exampleBody = { name: 'Website', permissions: [{ mode: 'allow', action: 'view' }], tags: ['web'] }

/** Body of POST /tokens. A token without rules may do nothing, so they must be given. */
export const createTokenBody = Joi.object({
  ...fields,
  name: fields.name.required(),
  permissions: fields.permissions.required(),
}).example(exampleBody)

/** Body of PUT /tokens/{token}: any of the fields, at least one. */
export const updateTokenBody = updateSchema(fieldSchemas(tokenFields, 'update')).example({ activated: false })

/** Query of GET /tokens. */
export const listTokensQuery = pageQuerySchema({
  orders: Object.keys(tokenOrders),
  filters: filterSchemas(tokenFields),
})

const exampleToken = {
  ...{ id: exampleId, createdAt: exampleTime, updatedAt: exampleTime },
  ...{ ...exampleBody, description: '' },
  ...{ ips: ['192.0.2.0/24'], expiresAt: null, activated: true, locked: false, lastUsedAt: exampleTime },
}

/** An API token, without its value. */
export const tokenSchema = answerOf(tokenFields, { title: 'ApiToken', examples: [exampleToken] })

export const exampleTokenWithValue = { ...exampleToken, value: 'listd_api_…' }

/** The same with its value, which no other response has. */
export const tokenWithValueSchema = answerOf(
  tokenFields,
  { title: 'ApiTokenWithValue', examples: [exampleTokenWithValue] },
  { value: { ...text, description: 'The secret; no other response has it.' } },
)

const limit = { ...nullable({ type: 'number', minimum: 0 }), description: 'Null: unlimited.' }
const counted = { ...nullable({ type: 'number', minimum: 0 }), description: 'Null: not counted.' }

const planProperties = {
  ...{ id: text, name: text, rateLimit: limit, maxRequestsPerMinute: limit, maxRequestsPerMonth: limit },
  ...{ overdraftPercent: limit, maxStorageBytes: limit, maxLists: limit, maxItemsPerList: limit },
  ...{ maxIndexesPerList: limit, maxItemSize: limit, maxItemVersions: limit, maxTokens: limit },
  ...{ maxIdentities: limit, maxWebhooks: limit, maxRealtimeConnections: limit, generativeAPI: nullable(flag) },
}
const planWithoutEffect = withoutEffect.plan.map((name) => [
  name,
  { ...planProperties[name], description: noEffectYet },
])

const planSchema = objectOf({ ...planProperties, ...Object.fromEntries(planWithoutEffect) }, { title: 'Plan' })

const usageSchema = objectOf(
  {
    ...{ periodStart: nullable(time), periodEnd: nullable(time), requestCount: counted, blockedCount: counted },
    ...{ requestAllowance: counted, requestsRemaining: counted, overdraftAllowance: counted, credits: counted },
    ...{ storageBytes: counted, storageAllowance: counted, degraded: nullable(flag) },
  },
  { title: 'Usage' },
)

/** The token that makes the request, the account's plan and what was used of it. */
export const ownTokenSchema = objectOf(
  { token: tokenSchema, plan: planSchema, usage: usageSchema },
  {
    title: 'OwnApiToken',
    examples: [
      {
        token: exampleToken,
        plan: {
          ...{ id: 'scale', name: 'Scale', rateLimit: null, maxRequestsPerMinute: null, maxRequestsPerMonth: null },
          ...{ overdraftPercent: null, maxStorageBytes: null, maxLists: null, maxItemsPerList: null },
          ...{ maxIndexesPerList: null, maxItemSize: 1_048_576, maxItemVersions: 100, maxTokens: null },
          ...{ maxIdentities: null, maxWebhooks: 50, maxRealtimeConnections: null, generativeAPI: null },
        },
        usage: {
          ...{ periodStart: null, periodEnd: null, requestCount: null, blockedCount: null, requestAllowance: null },
          ...{ requestsRemaining: null, overdraftAllowance: null, credits: null, storageBytes: null },
          ...{ storageAllowance: null, degraded: null },
        },
      },
    ],
  },
)
