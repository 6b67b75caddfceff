import type { FiltersOf } from '#shared/domain/fields/filters.ts'
import { namesIn } from '#shared/domain/fields/values.ts'
import {
  defaultGroupSettings,
  type Group,
  type GroupSettings,
  groupFields,
  newGroup,
} from '#shared/domain/identity/group-fields.ts'
import { caseFold } from '#shared/domain/text/case-fold.ts'
import { toNumber, toNumberOrNull } from '../columns.ts'
import { Conflict } from '../conflict.ts'
import type { Queries, Row, Transaction } from '../database.ts'
import { ordersOf } from '../pages/orders.ts'
import type { Page, PageRequest } from '../pages/page.ts'
import { readTablePage } from '../pages/table-page.ts'
import { filterConditionsOf } from '../sql/filters.ts'
import { insertRows, upsertRows } from '../sql/insert-rows.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { forShare, forUpdate } from '../sql/statements.ts'
import { assignments, tableOf } from '../sql/table.ts'

export const groupTable = tableOf('identity_groups', groupFields, {
  columns: {
    id: 'id',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
    name: 'name',
    sessionLifetimeSeconds: 'session_lifetime_seconds',
    sessionIdleSeconds: 'session_idle_seconds',
    requireEmail: 'require_email',
    requireVerifiedEmail: 'require_verified_email',
    minPasswordLength: 'min_password_length',
    accountId: 'account_id',
    endedCreatedAt: 'ended_created_at',
    endedLastUsedAt: 'ended_last_used_at',
  },
  derived: { name_key: ['name', caseFold] },
})
const settingNames = [...namesIn(groupFields, 'update'), 'endedCreatedAt', 'endedLastUsedAt'] as const

/** The group id in rows of identities that have no group. */
export const ungrouped = ''

/** The settings of a group, or those that it would get if an identity registered in it. */
export async function readGroupSettings(
  db: Queries,
  { accountId, name }: { accountId: string; name: string | null },
): Promise<GroupSettings> {
  if (name === null) return defaultGroupSettings
  const row = await db.get(
    sql`select ${raw(groupSettingsColumns)} from identity_groups g where g.account_id = ${accountId} and g.name = ${name}`,
  )
  return groupSettingsOf(row ?? {})
}

/** Whether an account has groups whose names differ only in case. */
export async function hasAmbiguousGroups(db: Queries, accountId: string): Promise<boolean> {
  const row = await db.get(sql`select name_key from identity_groups where account_id = ${accountId}
    group by name_key having count(*) > 1 limit 1`)
  return row !== undefined
}

/** Whether another group of the account has the same name in different case. */
export async function isAmbiguousGroup(
  db: Queries,
  { accountId, name }: { accountId: string; name: string },
): Promise<boolean> {
  const row = await db.get<{ named: unknown }>(sql`select count(*) as named from identity_groups
    where account_id = ${accountId} and name_key = ${caseFold(name)}`)
  return toNumber(row?.named) > 1
}

/**
 * The id and settings of a group, which is created if it does not exist (contract 2.5); concurrent calls create it once. The group cannot
 * be changed or deleted until the transaction ends.
 * @throws Conflict when a concurrent transaction deleted it
 */
export async function ensureGroup(
  tx: Transaction,
  group: { accountId: string; name: string | null; idIfNew: string },
): Promise<JoinedGroup> {
  const { accountId, name, idIfNew } = group
  if (name === null) return { id: ungrouped, settings: defaultGroupSettings }
  const found = await lockJoinedGroup(tx, { accountId, name })
  if (found) return found
  await insertNewGroup(tx, { id: idIfNew, accountId, name })
  const joined = await lockJoinedGroup(tx, { accountId, name })
  if (!joined) throw new Conflict('group')
  return joined
}

type JoinedGroup = { id: string; settings: GroupSettings }

async function lockJoinedGroup(
  tx: Transaction,
  { accountId, name }: { accountId: string; name: string },
): Promise<JoinedGroup | null> {
  // Selects all columns: if an index covers the select, MySQL locks only the index entry and not the row.
  const row = await tx.get(
    sql`select ${groupTable.selected} from identity_groups where account_id = ${accountId} and name = ${name} ${forShare}`,
  )
  const group = row && groupTable.fromRow(row)
  return group ? { id: group.id, settings: group } : null
}

async function insertNewGroup(tx: Transaction, group: { id: string; accountId: string; name: string }): Promise<void> {
  const now = await tx.now()
  const row = groupTable.rows([newGroup(group, {}, now)])
  await upsertRows(tx, row, { key: ['account_id', 'name'], changed: {} })
}

/** The columns that `groupSettingsOf` reads, of a group `g`. */
export const groupSettingsColumns = [
  ...settingNames.map((name) => `g.${groupTable.columns[name]}`),
  'g.updated_at as settings_updated_at',
].join(', ')

const readSettings = groupTable.reader(settingNames)

/** The group settings in a row; those of the ungrouped space if the row has no group. */
export function groupSettingsOf(row: Row): GroupSettings {
  const isGrouped = toNumberOrNull(row[groupTable.columns.sessionLifetimeSeconds]) !== null
  return isGrouped ? { ...readSettings(row), updatedAt: toNumber(row.settings_updated_at) } : defaultGroupSettings
}

/** The group of an account by id or, exactly as it is written, by name; an id takes precedence. */
export async function findGroup(db: Queries, accountId: string, ref: string): Promise<Group | null> {
  const rows = await db.all(
    sql`select ${groupTable.selected} from identity_groups where account_id = ${accountId} and (id = ${ref} or name = ${ref})`,
  )
  const row = rows.find(({ id }) => id === ref) ?? rows[0]
  return row ? groupTable.fromRow(row) : null
}

/** Groups of one account, or all, in the order of creation. */
export async function listGroups(
  db: Queries,
  { accountId, name, limit }: { accountId?: string; name?: string; limit: number },
): Promise<Group[]> {
  const conditions = [
    ...(accountId === undefined ? [] : [sql`account_id = ${accountId}`]),
    ...(name === undefined ? [] : [sql`name = ${name}`]),
  ]
  const where = conditions.length === 0 ? raw('') : sql` where ${joinSql(conditions, ' and ')}`
  const rows = await db.all(sql`select ${groupTable.selected} from identity_groups${where} order by id limit ${limit}`)
  return rows.map(groupTable.fromRow)
}

/** Locks a group: until the transaction ends, it cannot be changed or deleted, and no identity can join it. */
export async function lockGroup(
  tx: Transaction,
  { accountId, id }: { accountId: string; id: string },
): Promise<Group | null> {
  const row = await tx.get(
    sql`select ${groupTable.selected} from identity_groups where id = ${id} and account_id = ${accountId} ${forUpdate}`,
  )
  return row ? groupTable.fromRow(row) : null
}

/** @throws the database's unique violation (`isUniqueViolation`) when another group of the account has its name */
export async function insertGroup(tx: Transaction, group: Group): Promise<void> {
  await insertRows(tx, groupTable.rows([group]))
}

const updatedColumns = groupTable.columnsOf(['updatedAt', ...settingNames])

/** Writes the settings of a group that the transaction has locked. */
export async function updateGroup(tx: Transaction, group: Group): Promise<void> {
  await tx.run(sql`update identity_groups set ${assignments(updatedColumns, group)}
    where id = ${group.id} and account_id = ${group.accountId}`)
}

/** Deletes a group that the transaction has locked, if it has no identities. @returns whether it had none */
export async function deleteEmptyGroup(tx: Transaction, { id, accountId }: Group): Promise<boolean> {
  if (await tx.get(sql`select id from identities where account_id = ${accountId} and group_id = ${id} limit 1`)) {
    return false
  }
  await tx.run(sql`delete from identity_groups where id = ${id} and account_id = ${accountId}`)
  return true
}

/** The orders of pages of groups; indexes have all of them. */
export const groupOrders = ordersOf(groupFields, {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  name: 'name_key',
})
export type GroupOrder = keyof typeof groupOrders

const filterConditions = filterConditionsOf(groupFields, { name: 'name_key' })

/**
 * One page of the groups of an account.
 * @throws VALIDATION_FAILED when the cursor is invalid, or was issued for another order, direction or filter
 */
export function readGroupPage(
  db: Queries,
  { accountId, filters }: { accountId: string; filters: FiltersOf<typeof groupFields> },
  request: PageRequest & { order: GroupOrder },
): Promise<Page<Group>> {
  const groups = {
    table: 'identity_groups',
    columns: groupTable.selected,
    fromRow: groupTable.fromRow,
    conditions: sql`account_id = ${accountId}`,
    filters: filterConditions(filters),
    order: groupOrders[request.order],
  }
  return readTablePage(db, groups, request)
}
