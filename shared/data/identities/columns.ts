import { identityFields } from '#shared/domain/identity/fields.ts'
import { type Identity, identityNameKey } from '#shared/domain/identity/identity.ts'
import { caseFold } from '#shared/domain/text/case-fold.ts'
import { emailKey } from '#shared/domain/user/user.ts'
import { ordersOf } from '../pages/orders.ts'
import { filterConditionsOf, indexedFiltersOf } from '../sql/filters.ts'
import { type Columns, rowMapper } from '../sql/insert-rows.ts'

/** The columns that a request may change. */
export const updatedIdentityColumns = {
  updated_at: ({ updatedAt }) => updatedAt,
  name: ({ name }) => name,
  name_key: ({ name }) => identityNameKey(name),
  display_name: ({ displayName }) => displayName,
  display_name_key: ({ displayName }) => caseFold(displayName),
  email: ({ email }) => email,
  email_key: ({ email }) => (email === null ? null : emailKey(email)),
  email_verified: ({ emailVerified }) => emailVerified,
  tags: ({ tags }) => JSON.stringify(tags),
  activated: ({ activated }) => activated,
} as const satisfies Columns<Identity>

/** Rows of new identities. */
export const identityRows = rowMapper<Identity & { groupId: string; passwordHash: string | null }>('identities', {
  id: ({ id }) => id,
  account_id: ({ accountId }) => accountId,
  group_id: ({ groupId }) => groupId,
  group_key: ({ group }) => caseFold(group ?? ''),
  created_at: ({ createdAt }) => createdAt,
  password_hash: ({ passwordHash }) => passwordHash,
  ...updatedIdentityColumns,
})

/**
 * The orders of pages of identities `i`; indexes have all of them. Fields that only the account's user sees are not orders, because a page
 * would reveal them to others.
 */
export const identityOrders = ordersOf(identityFields, {
  createdAt: 'i.created_at',
  updatedAt: 'i.updated_at',
  name: 'i.name_key',
  displayName: 'i.display_name_key',
  group: { key: 'i.group_key', optional: { present: "i.group_key > ''", missing: "i.group_key = ''" } },
  lastLoginAt: {
    key: 'i.last_login_at',
    optional: { present: 'i.last_login_at > 0', missing: 'i.last_login_at is null' },
  },
  activated: 'i.activated',
})
export type IdentityOrder = keyof typeof identityOrders

/** The conditions of filters on identities `i`. An identity without a group has an empty one here. */
export const identityFilterConditions = filterConditionsOf(identityFields, {
  name: 'i.name_key',
  displayName: 'i.display_name_key',
  group: 'i.group_key',
  tags: 'i.tags',
  activated: 'i.activated',
})

/** The filters on columns whose indexes begin with the account. */
export const indexedIdentityFilters = indexedFiltersOf(identityFields, {
  name: 'i.name_key',
  displayName: 'i.display_name_key',
  group: 'i.group_key',
  activated: 'i.activated',
})
