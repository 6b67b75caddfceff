import { isId } from '#shared/domain/id.ts'
import type { GroupSettings } from '#shared/domain/identity/group-fields.ts'
import type { Identity } from '#shared/domain/identity/identity.ts'
import { type LoginKey, loginKey } from '#shared/domain/identity/sign-in.ts'
import { toBoolean, toJson, toNumber, toNumberOrNull, toText, toTextOrNull } from '../columns.ts'
import type { Queries, Row, Transaction } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { insertRows } from '../sql/insert-rows.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { forUpdate, inList, locksRows, unindexed } from '../sql/statements.ts'
import { assignments } from '../sql/table.ts'
import { identityRows, updatedIdentityColumns } from './columns.ts'
import { groupSettingsColumns, groupSettingsOf, ungrouped } from './identity-groups.ts'

/** Identifies an identity of an account by group and name or email address. */
type IdentityKey = LoginKey & { accountId: string }

/** An identity and the settings of its group. */
export type GroupedIdentity = { identity: Identity; settings: GroupSettings }

/** An identity as login needs it. */
export type IdentityToSignIn = GroupedIdentity & { passwordHash: string | null }

/**
 * Adds an identity to a group.
 * @throws the database's unique violation (`isUniqueViolation`) when another of the group has its name or email
 */
export async function insertIdentity(
  tx: Transaction,
  identity: Identity,
  stored: { groupId: string; passwordHash: string | null },
): Promise<void> {
  await insertRows(tx, identityRows([{ ...identity, ...stored }]))
}

/** Whether another identity of the group has this name, or this email address. */
export async function isIdentityTaken(
  db: Queries,
  of: { accountId: string; group: string | null; nameKey: string; emailKey: string | null },
): Promise<boolean> {
  const { accountId, group } = of
  const found = await Promise.all([
    findIdentityId(db, { accountId, group, nameKey: of.nameKey }),
    of.emailKey === null ? null : findIdentityId(db, { accountId, group, emailKey: of.emailKey }),
  ])
  return found.some((id) => id !== null)
}

export async function findIdentityId(db: Queries, key: IdentityKey): Promise<string | null> {
  const row = await readByKey(db, raw('i.id'), key)
  return row ? toText(row.id) : null
}

/** Always one query, so that its time does not reveal which part of the key is wrong. */
export async function findIdentityToSignIn(db: Queries, key: IdentityKey): Promise<IdentityToSignIn | null> {
  const row = await readByKey(db, groupedIdentityColumns, key)
  return row ? signInOf(row) : null
}

function readByKey(db: Queries, selected: Sql, key: IdentityKey): Promise<Row | undefined> {
  const { accountId, group } = key
  const isNamed = 'nameKey' in key ? sql`i.name_key = ${key.nameKey}` : sql`i.email_key = ${key.emailKey}`
  const inGroup = group === null ? raw(`i.group_id = '${ungrouped}'`) : sql`g.name = ${group}`
  return db.get(
    sql`select ${selected} from ${raw(identitiesWithGroups)}
      where i.account_id = ${accountId} and ${isNamed} and ${inGroup}`,
  )
}

/** An identity, with the account that it must belong to. */
export type IdentityAt = { accountId: string; identityId: string }

/** An identity of the account; null also for an identity of another account. */
export async function findIdentity(
  db: Queries,
  { accountId, identityId }: IdentityAt,
): Promise<IdentityToSignIn | null> {
  const row = await db.get(
    sql`select ${groupedIdentityColumns} from ${raw(identitiesWithGroups)}
      where i.id = ${identityId} and i.account_id = ${accountId}`,
  )
  return row ? signInOf(row) : null
}

/**
 * The identity of an account by its id, or by `group/name`; `/name` is in the ungrouped space. A group's name may contain
 * slashes, an identity's name cannot.
 */
export async function findIdentityByRef(db: Queries, accountId: string, ref: string): Promise<GroupedIdentity | null> {
  if (isId(ref)) return findIdentity(db, { accountId, identityId: ref })
  const slash = ref.lastIndexOf('/')
  if (slash < 0) return null
  const group = slash === 0 ? null : ref.slice(0, slash)
  const key = loginKey({ group, name: ref.slice(slash + 1) })
  return key && findIdentityToSignIn(db, { accountId, ...key })
}

/** Identities of one account, or all, in the order of creation. @param options.group a group's name; '' is the ungrouped space */
export async function listIdentities(
  db: Queries,
  { accountId, group, limit }: { accountId?: string; group?: string; limit: number },
): Promise<Identity[]> {
  const conditions = [
    ...(accountId === undefined ? [] : [sql`i.account_id = ${accountId}`]),
    ...(group === undefined ? [] : [group === '' ? raw('g.name is null') : sql`g.name = ${group}`]),
  ]
  const where = conditions.length === 0 ? raw('') : sql` where ${joinSql(conditions, ' and ')}`
  const rows = await db.all(
    sql`select ${groupedIdentityColumns} from ${raw(identitiesWithGroups)}${where} order by i.id limit ${limit}`,
  )
  return rows.map(identityOf)
}

/** Locks an identity for the rest of the transaction, so that others that change it, or give it a token, wait. */
export async function lockIdentity(tx: Transaction, at: IdentityAt): Promise<IdentityToSignIn | null> {
  // Read by a second statement, which sees a change that the first one waited for.
  if (locksRows(tx)) {
    await tx.all(
      sql`select id from identities where id = ${at.identityId} and account_id = ${at.accountId} ${forUpdate}`,
    )
  }
  return findIdentity(tx, at)
}

/**
 * Writes the fields of an identity that the transaction has locked.
 * @param options.passwordHash a new password; absent: it stays
 * @throws the database's unique violation (`isUniqueViolation`) when another of the group has its name or email
 */
export async function updateIdentity(
  tx: Transaction,
  identity: Identity,
  { passwordHash }: { passwordHash?: string } = {},
): Promise<void> {
  const password = passwordHash === undefined ? raw('') : sql`, password_hash = ${passwordHash}`
  await tx.run(sql`update identities set ${assignments(updatedIdentityColumns, identity)}${password}
    where id = ${identity.id} and account_id = ${identity.accountId}`)
}

/** Deletes an identity; its items stay, and have no owner when they are read. */
export async function deleteIdentity(tx: Transaction, { id, accountId }: Identity): Promise<void> {
  await tx.run(sql`delete from identities where id = ${id} and account_id = ${accountId}`)
}

/**
 * Stores the time of a login whose password was verified against this hash.
 * @returns false when the identity is gone, is deactivated or has another hash by now: the login must not succeed
 */
export async function recordIdentityLogin(
  db: Queries,
  { identityId, passwordHash, now }: { identityId: string; passwordHash: string; now: number },
): Promise<boolean> {
  const changed = await db.run(sql`update identities set last_login_at = ${now}
    where id = ${identityId} and password_hash = ${passwordHash} and activated = ${true}`)
  return changed === 1
}

/** Replaces a hash with a stronger one of the same password, unless the stored hash has changed. */
export async function upgradeIdentityPassword(
  db: Queries,
  { identityId, from, to }: { identityId: string; from: string; to: string },
): Promise<void> {
  await db.run(sql`update identities set password_hash = ${to} where id = ${identityId} and password_hash = ${from}`)
}

/** `i` is the identity, `g` its group; `g` is null for an identity of the ungrouped space. */
export const identitiesWithGroups =
  'identities i left join identity_groups g on g.id = i.group_id and g.account_id = i.account_id'

/** The columns that `groupedIdentityOf` reads. */
export const groupedIdentityColumns =
  raw(`i.id, i.account_id, i.created_at, i.updated_at, i.name, i.display_name, i.email,
  i.email_verified, i.tags, i.last_login_at, i.activated, i.password_hash, g.name as group_name, ${groupSettingsColumns}`)

export function groupedIdentityOf(row: Row): GroupedIdentity {
  return { identity: identityOf(row), settings: groupSettingsOf(row) }
}

function signInOf(row: Row): IdentityToSignIn {
  return { ...groupedIdentityOf(row), passwordHash: toTextOrNull(row.password_hash) }
}

function identityOf(row: Row): Identity {
  return {
    id: toText(row.id),
    accountId: toText(row.account_id),
    createdAt: toNumber(row.created_at),
    updatedAt: toNumber(row.updated_at),
    name: toText(row.name),
    displayName: toText(row.display_name),
    group: toTextOrNull(row.group_name),
    tags: toJson<string[]>(row.tags),
    email: toTextOrNull(row.email),
    emailVerified: toBoolean(row.email_verified),
    hasPassword: row.password_hash !== null,
    lastLoginAt: toNumberOrNull(row.last_login_at),
    activated: toBoolean(row.activated),
  }
}

/** The ids among these that are identities of the account. */
export async function existingIdentityIds(
  db: Queries,
  { accountId, ids }: { accountId: string; ids: readonly string[] },
): Promise<string[]> {
  const rows = await db.all(
    sql`select id from identities where ${inList('id', ids)} and ${unindexed('account_id')} = ${accountId}`,
  )
  return rows.map(({ id }) => toText(id))
}
