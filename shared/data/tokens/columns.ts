import { caseFold } from '#shared/domain/text/case-fold.ts'
import { tokenFields } from '#shared/domain/token/fields.ts'
import { ordersOf } from '../pages/orders.ts'
import { filterConditionsOf } from '../sql/filters.ts'
import { tableOf } from '../sql/table.ts'

/** Beside these, the hash of its value is stored. */
export const tokenTable = tableOf('tokens', tokenFields, {
  columns: {
    id: 'id',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
    name: 'name',
    description: 'description',
    tags: 'tags',
    permissions: 'permissions',
    ips: 'ips',
    expiresAt: 'expires_at',
    rateLimit: 'rate_limit',
    activated: 'activated',
    locked: 'locked',
    lastUsedAt: 'last_used_at',
    accountId: 'account_id',
  },
  derived: { name_key: ['name', caseFold], description_key: ['description', caseFold] },
})

/** What pages of tokens are ordered by; of a description the first 256 characters, which is what MySQL sorts by. */
export const tokenOrders = ordersOf(tokenFields, {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  name: "coalesce(name_key, '')",
  description: "coalesce(substr(description_key, 1, 256), '')",
  expiresAt: lastWithoutTime('expires_at'),
  activated: 'activated',
  locked: 'locked',
  lastUsedAt: lastWithoutTime('last_used_at'),
})
export type TokenOrder = keyof typeof tokenOrders

export const tokenFilterConditions = filterConditionsOf(tokenFields, {
  name: 'name_key',
  description: 'description_key',
  tags: 'tokens.tags',
  activated: 'activated',
})

/** Rows without a time come last. */
function lastWithoutTime(key: string) {
  return { key, optional: { present: `${key} is not null`, missing: `${key} is null` } }
}
