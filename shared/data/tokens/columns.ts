import { fromStored, isOverwritten, toStored } from '#shared/domain/item-rules/stored-rules.ts'
import { caseFold } from '#shared/domain/text/case-fold.ts'
import { type ApiToken, tokenFields } from '#shared/domain/token/fields.ts'
import { toText } from '../columns.ts'
import type { Row } from '../database.ts'
import { ordersOf } from '../pages/orders.ts'
import { filterConditionsOf } from '../sql/filters.ts'
import type { Columns } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'
import { tableOf } from '../sql/table.ts'

/** The table also has the hash of the token's value. */
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

/** All columns, for a select of whole tokens. */
export const selectedOfTokens = sql`${tokenTable.selected}, tokens."conditional_rules"`

/** The token in a row that has all of these columns. */
export function tokenFromRow(row: Row): ApiToken {
  const { permissions: plain, ...token } = tokenTable.fromRow(row)
  return { ...token, ...fromStored({ plain, conditional: readConditional(row) }) }
}

/** Whether a process of 0.2 has written the rules of a token after rules with conditions were written. */
export function hasOverwrittenRules(row: Row): boolean {
  return isOverwritten({ plain: tokenTable.fromRow(row).permissions, conditional: readConditional(row) })
}

function readConditional({ conditional_rules: text }: Row): Parameters<typeof fromStored>[0]['conditional'] {
  return text === null ? null : JSON.parse(toText(text))
}

/** The columns of rules. `permissions` has no conditions, because processes of 0.2 read it and would ignore them. */
export const ruleColumns = {
  permissions: (token) => JSON.stringify(toStored(token).plain),
  conditional_rules: (token) => {
    const { conditional } = toStored(token)
    return conditional && JSON.stringify(conditional)
  },
} as const satisfies Columns<ApiToken>

/** The orders of pages of tokens. A description is sorted by its first 256 characters, as MySQL does. */
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
