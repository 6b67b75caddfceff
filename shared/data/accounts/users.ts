import { emailKey, normalEmail, type User } from '#shared/domain/identity/user.ts'
import { toNumber, toNumberOrNull, toText } from '../columns.ts'
import type { Queries } from '../database.ts'

/** A user as login needs it. */
export type UserWithPassword = User & { passwordHash: string }

/**
 * Adds a user; its email address is unique in the whole installation, ignoring case.
 * @throws the database's unique violation (`isUniqueViolation`) when another user has the address
 */
export async function createUser(
  db: Queries,
  input: { id: string; accountId: string; email: string; passwordHash: string; now: number },
): Promise<User> {
  const { id, accountId, passwordHash, now } = input
  const email = normalEmail(input.email)
  await db.run(
    'insert into users (id, account_id, created_at, updated_at, email, email_key, password_hash) values (?, ?, ?, ?, ?, ?, ?)',
    [id, accountId, now, now, email, emailKey(email), passwordHash],
  )
  return { id, accountId, createdAt: now, updatedAt: now, email, lastLoginAt: null }
}

export async function findUserByEmailKey(db: Queries, key: string): Promise<UserWithPassword | null> {
  const row = await db.get<UserRow>(`select ${columns}, password_hash from users where email_key = ?`, [key])
  return row ? { ...userOf(row), passwordHash: toText(row.password_hash) } : null
}

/** A user of the account; null also for a user of another account. */
export async function findUser(db: Queries, at: { accountId: string; userId: string }): Promise<User | null> {
  const { accountId, userId } = at
  const row = await db.get<UserRow>(`select ${columns} from users where id = ? and account_id = ?`, [userId, accountId])
  return row ? userOf(row) : null
}

/** Users of one account, or all, in the order of creation. */
export async function listUsers(db: Queries, options: { accountId?: string; limit: number }): Promise<User[]> {
  const { accountId, limit } = options
  const rows =
    accountId === undefined
      ? await db.all<UserRow>(`select ${columns} from users order by id limit ?`, [limit])
      : await db.all<UserRow>(`select ${columns} from users where account_id = ? order by id limit ?`, [
          accountId,
          limit,
        ])
  return rows.map(userOf)
}

/** Whether the installation has any user; the first one is created without credentials. */
export async function hasUsers(db: Queries): Promise<boolean> {
  return (await db.get('select id from users limit 1')) !== undefined
}

/**
 * Stores the time of a login whose password was verified against this hash.
 * @returns false when the user is gone or has another hash by now: the login must not succeed
 */
export async function noteLogin(
  db: Queries,
  login: { userId: string; passwordHash: string; now: number },
): Promise<boolean> {
  const { userId, passwordHash, now } = login
  const changed = await db.run('update users set last_login_at = ? where id = ? and password_hash = ?', [
    now,
    userId,
    passwordHash,
  ])
  return changed === 1
}

/** Sets a new password; a login that is verifying the old one meanwhile fails. @returns whether the user exists */
export async function setPasswordHash(
  db: Queries,
  change: { userId: string; passwordHash: string; now: number },
): Promise<boolean> {
  const { userId, passwordHash, now } = change
  const query = 'update users set password_hash = ?, updated_at = ? where id = ?'
  return (await db.run(query, [passwordHash, now, userId])) === 1
}

/** Replaces a hash with a stronger one of the same password, unless the stored hash has changed. @returns whether it did */
export async function upgradePasswordHash(
  db: Queries,
  change: { userId: string; from: string; to: string },
): Promise<boolean> {
  const { userId, from, to } = change
  const changed = await db.run('update users set password_hash = ? where id = ? and password_hash = ?', [
    to,
    userId,
    from,
  ])
  return changed === 1
}

const columns = 'id, account_id, created_at, updated_at, email, last_login_at'
type UserRow = Record<
  'id' | 'account_id' | 'created_at' | 'updated_at' | 'email' | 'last_login_at' | 'password_hash',
  unknown
>

function userOf(row: UserRow): User {
  return {
    id: toText(row.id),
    accountId: toText(row.account_id),
    createdAt: toNumber(row.created_at),
    updatedAt: toNumber(row.updated_at),
    email: toText(row.email),
    lastLoginAt: toNumberOrNull(row.last_login_at),
  }
}
