import type { UserNames } from '#shared/domain/event.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { type User, userFields } from '#shared/domain/user/fields.ts'
import { emailKey, normalEmail } from '#shared/domain/user/user.ts'
import { toNumberOrNull, toText, toTextOrNull } from '../columns.ts'
import type { Queries, Row, Transaction } from '../database.ts'
import { insertRow, rowMapper } from '../sql/insert-rows.ts'
import { raw, sql } from '../sql/sql.ts'
import { inList, unindexed } from '../sql/statements.ts'
import { assignments, tableOf } from '../sql/table.ts'

/** A user, and the account it must belong to. */
export type UserKey = { accountId: string; userId: string }

/** A user as the operator sees it. `disabledAt`: when a command disabled it; null: it may sign in. */
export type ListedUser = User & { disabledAt: number | null }

/** A user as login needs it. */
export type UserWithPassword = ListedUser & { passwordHash: string }

const userTable = tableOf('users', userFields, {
  columns: {
    id: 'id',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
    email: 'email',
    displayName: 'display_name',
    lastLoginAt: 'last_login_at',
    accountId: 'account_id',
  },
  derived: { email_key: ['email', emailKey] },
})

/**
 * Adds a user; its email address is unique in the whole installation, ignoring case.
 * @throws the database's unique violation (`isUniqueViolation`) when another user has the address
 */
export async function createUser(
  db: Queries,
  input: { id: string; accountId: string; email: string; passwordHash: string; now: number },
): Promise<User> {
  const { passwordHash, now, ...fields } = input
  const email = normalEmail(input.email)
  const user: User = { ...initialValues(userFields), ...fields, email, createdAt: now, updatedAt: now }
  await insertRow(db, userRows([{ ...user, passwordHash }]))
  return user
}

const userRows = rowMapper<User & { passwordHash: string }>('users', {
  ...userTable.allColumns,
  password_hash: ({ passwordHash }) => passwordHash,
})

/** The names of users of an account, by their ids; deleted users are left out. */
export async function readUserNames(db: Queries, accountId: string, ids: readonly string[]): Promise<UserNames> {
  if (ids.length === 0) return new Map()
  const rows = await db.all(
    sql`select id, email, display_name from users where ${inList('id', ids)} and ${unindexed('account_id')} = ${accountId}`,
  )
  return new Map(rows.map((row) => [toText(row.id), toTextOrNull(row.display_name) ?? toText(row.email)]))
}

export function findUserByEmailKey(db: Queries, key: string): Promise<UserWithPassword | null> {
  return findWithPassword(db, sql`email_key = ${key}`)
}

/** A user of the account with the hash of the password; null also for a user of another account. */
export function findUserWithPassword(db: Queries, { accountId, userId }: UserKey): Promise<UserWithPassword | null> {
  return findWithPassword(db, sql`id = ${userId} and account_id = ${accountId}`)
}

async function findWithPassword(db: Queries, condition: ReturnType<typeof sql>): Promise<UserWithPassword | null> {
  const row = await db.get(sql`select ${userTable.selected}, password_hash, disabled_at from users where ${condition}`)
  return row ? { ...listedOf(row), passwordHash: toText(row.password_hash) } : null
}

const listedOf = (row: Row): ListedUser => ({
  ...userTable.fromRow(row),
  disabledAt: toNumberOrNull(row.disabled_at),
})

/** A user of the account; null also for a user of another account. */
export async function findUser(db: Queries, { accountId, userId }: UserKey): Promise<User | null> {
  const row = await db.get(
    sql`select ${userTable.selected} from users where id = ${userId} and account_id = ${accountId}`,
  )
  return row ? userTable.fromRow(row) : null
}

/** Users of one account, or all, in the order of creation. */
export async function listUsers(db: Queries, options: { accountId?: string; limit: number }): Promise<ListedUser[]> {
  const { accountId, limit } = options
  const owned = accountId === undefined ? raw('') : sql` where account_id = ${accountId}`
  const rows = await db.all(
    sql`select ${userTable.selected}, disabled_at from users${owned} order by id limit ${limit}`,
  )
  return rows.map(listedOf)
}

/** Whether the installation has any user; the first one is created without credentials. */
export async function hasUsers(db: Queries): Promise<boolean> {
  return (await db.get(sql`select id from users limit 1`)) !== undefined
}

/**
 * Stores the time of a login whose password was verified against this hash.
 * @returns false when the user is gone, disabled or has another hash by now: the login must not succeed
 */
export async function recordLogin(
  db: Queries,
  login: { userId: string; passwordHash: string; now: number },
): Promise<boolean> {
  const { userId, passwordHash, now } = login
  const changed = await db.run(
    sql`update users set last_login_at = ${now} where id = ${userId} and password_hash = ${passwordHash}
      and disabled_at is null`,
  )
  return changed === 1
}

/** The changes of a user. A new password makes a concurrent login that verifies the old one fail. */
export type UserChanges = { displayName?: string | null; email?: string; passwordHash?: string }

/**
 * Changes a user.
 * @param change.verifiedHash the hash that the current password was verified against; absent: the password was not required
 * @returns the changed user; null when there is none, or it has another password by now
 * @throws the database's unique violation (`isUniqueViolation`) when another user has the address
 */
export async function changeUser(
  tx: Transaction,
  key: UserKey,
  change: { changes: UserChanges; verifiedHash?: string; now: number },
): Promise<User | null> {
  const { verifiedHash, now } = change
  const { passwordHash, ...fields } = change.changes
  const named = userTable.columnsOf(['updatedAt', ...(Object.keys(fields) as (keyof typeof fields)[])])
  const hashed = passwordHash === undefined ? raw('') : sql`, password_hash = ${passwordHash}`
  const isVerified = verifiedHash === undefined ? raw('') : sql` and password_hash = ${verifiedHash}`
  const changed =
    await tx.run(sql`update users set ${assignments(named, { ...fields, updatedAt: now } as User)}${hashed}
    where id = ${key.userId} and account_id = ${key.accountId}${isVerified}`)
  return changed === 1 ? findUser(tx, key) : null
}

/**
 * Disables a user, who then cannot sign in, or enables one again. Sessions are ended separately (`deleteSessionsOfUser`), after
 * this: a concurrent login either fails or has stored its session by then.
 * @param change.disabledAt null: enables
 * @returns false when there is no such user, or nothing had to be changed
 */
export async function setUserDisabled(
  tx: Transaction,
  { accountId, userId }: UserKey,
  { disabledAt, now }: { disabledAt: number | null; now: number },
): Promise<boolean> {
  const isOther = disabledAt === null ? raw('disabled_at is not null') : raw('disabled_at is null')
  const changed = await tx.run(sql`update users set disabled_at = ${disabledAt}, updated_at = ${now}
    where id = ${userId} and account_id = ${accountId} and ${isOther}`)
  return changed === 1
}

/** Deletes a user. Sessions are ended separately, as in `setUserDisabled`. @returns whether there was one */
export async function removeUser(tx: Transaction, { accountId, userId }: UserKey): Promise<boolean> {
  return (await tx.run(sql`delete from users where id = ${userId} and account_id = ${accountId}`)) === 1
}

/** Whether another user of the account may sign in. */
export async function hasOtherUsers(tx: Transaction, { accountId, userId }: UserKey): Promise<boolean> {
  const other = await tx.get(sql`select id from users
    where account_id = ${accountId} and id <> ${userId} and disabled_at is null limit 1`)
  return other !== undefined
}

/** Replaces a hash with a stronger one of the same password, unless the stored hash has changed. @returns whether it did */
export async function upgradePasswordHash(
  db: Queries,
  change: { userId: string; from: string; to: string },
): Promise<boolean> {
  const { userId, from, to } = change
  const changed = await db.run(
    sql`update users set password_hash = ${to} where id = ${userId} and password_hash = ${from}`,
  )
  return changed === 1
}
