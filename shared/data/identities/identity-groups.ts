import { defaultGroupSettings, type GroupSettings } from '#shared/domain/identity/group.ts'
import { toBoolean, toNumber, toNumberOrNull, toText } from '../columns.ts'
import type { Queries, Row, Transaction } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { onConflict } from '../sql/statements.ts'

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
  const { id, accountId, name } = group
  const now = await tx.now()
  const settings = defaultGroupSettings
  const { sessionLifetimeSeconds, sessionIdleSeconds, requireEmail, requireVerifiedEmail } = settings
  await tx.run(sql`insert into identity_groups (id, account_id, created_at, updated_at, name, session_lifetime_seconds,
      session_idle_seconds, require_email, require_verified_email, min_password_length)
    values (${id}, ${accountId}, ${now}, ${now}, ${name}, ${sessionLifetimeSeconds}, ${sessionIdleSeconds},
      ${requireEmail}, ${requireVerifiedEmail}, ${settings.minPasswordLength})
    ${onConflict(['account_id', 'name'], {})}`)
}

/** The columns that `groupSettingsOf` reads, of a group `g`. */
export const groupSettingsColumns =
  'g.session_lifetime_seconds, g.session_idle_seconds, g.require_email, g.require_verified_email, g.min_password_length'

/** The group settings in a row; those of the ungrouped space if the row has no group. */
export function groupSettingsOf(row: Row): GroupSettings {
  if (toNumberOrNull(row.session_lifetime_seconds) === null) return defaultGroupSettings
  return {
    sessionLifetimeSeconds: toNumber(row.session_lifetime_seconds),
    sessionIdleSeconds: toNumberOrNull(row.session_idle_seconds),
    requireEmail: toBoolean(row.require_email),
    requireVerifiedEmail: toBoolean(row.require_verified_email),
    minPasswordLength: toNumber(row.min_password_length),
  }
}
