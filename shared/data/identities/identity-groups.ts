import { namesIn } from '#shared/domain/fields/values.ts'
import { defaultGroupSettings, type GroupSettings, groupFields } from '#shared/domain/identity/group-fields.ts'
import { toNumberOrNull, toText } from '../columns.ts'
import type { Queries, Row, Transaction } from '../database.ts'
import { upsertRows } from '../sql/insert-rows.ts'
import { tableOf } from '../sql/table.ts'

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
  },
})
const settingNames = namesIn(groupFields, 'update')

/** The group id in rows of identities that have no group. */
export const ungrouped = ''

/** The settings of a group, or those that it would get if an identity registered in it. */
export async function readGroupSettings(
  db: Queries,
  { accountId, name }: { accountId: string; name: string | null },
): Promise<GroupSettings> {
  if (name === null) return defaultGroupSettings
  const query = `select ${groupSettingsColumns} from identity_groups g where g.account_id = ? and g.name = ?`
  return groupSettingsOf((await db.get(query, [accountId, name])) ?? {})
}

/** The id of a group, which is created if it does not exist (contract 2.5); concurrent calls create it once. */
export async function ensureGroup(
  tx: Transaction,
  group: { accountId: string; name: string | null; idIfNew: string },
): Promise<string> {
  const { accountId, name, idIfNew } = group
  if (name === null) return ungrouped
  const found = await findGroupId(tx, { accountId, name })
  if (found) return found
  await insertGroup(tx, { id: idIfNew, accountId, name })
  return (await findGroupId(tx, { accountId, name })) ?? idIfNew
}

async function findGroupId(
  db: Queries,
  { accountId, name }: { accountId: string; name: string },
): Promise<string | null> {
  const row = await db.get('select id from identity_groups where account_id = ? and name = ?', [accountId, name])
  return row ? toText(row.id) : null
}

async function insertGroup(tx: Transaction, group: { id: string; accountId: string; name: string }): Promise<void> {
  const now = await tx.now()
  const row = groupTable.rows([{ ...group, ...defaultGroupSettings, createdAt: now, updatedAt: now }])
  await upsertRows(tx, row, { key: ['account_id', 'name'], changed: {} })
}

/** The columns that `groupSettingsOf` reads, of a group `g`. */
export const groupSettingsColumns = settingNames.map((name) => `g.${groupTable.columns[name]}`).join(', ')

const readSettings = groupTable.reader(settingNames)

/** The group settings in a row; those of the ungrouped space if the row has no group. */
export function groupSettingsOf(row: Row): GroupSettings {
  const isGrouped = toNumberOrNull(row[groupTable.columns.sessionLifetimeSeconds]) !== null
  return isGrouped ? readSettings(row) : defaultGroupSettings
}
