import { startingPlan } from '#shared/config/plans.ts'
import { newId } from '#shared/crypto/ids.ts'
import { hashPassword } from '#shared/crypto/password.ts'
import { type Account, listAccounts } from '#shared/data/accounts/accounts.ts'
import type { Transaction } from '#shared/data/database.ts'
import { isUniqueViolation } from '#shared/data/database-errors.ts'
import { insertEvents } from '#shared/data/events/events.ts'
import { ensureAccount } from '#shared/data/users/first-user.ts'
import { userEvent } from '#shared/data/users/user-events.ts'
import { createUser, type ListedUser, listUsers } from '#shared/data/users/users.ts'
import { passwordErrors } from '#shared/domain/identity/password.ts'
import type { User } from '#shared/domain/user/fields.ts'
import { emailErrors } from '#shared/domain/user/user.ts'
import { formatTime, listing, maxRows, withinLimit } from '../../terminal/listing.ts'
import { readPassword } from '../../terminal/read-password.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { accountNames, type CommandContext, chooseAccount, withSchema } from '../database/database.ts'
import { throwIfInvalid } from '../throw-if-invalid.ts'

type CreateUserOptions = { email: string; account?: string; passwordStdin?: true }

/**
 * `listd user create`: prints the user's id. Creates the first account if there is none. The password is never an
 * argument, because other users of the machine can see those.
 */
export async function createUserCommand(terminal: Terminal, options: CreateUserOptions): Promise<void> {
  const { email } = options
  throwIfInvalid(emailErrors(email, '--email'))
  await withSchema(terminal, async (context) => {
    const chosen = await accountOrNone(context, options.account)
    const passwordHash = await readHash(context, options)
    const created = await context.db
      .transaction((tx) => insert(tx, { account: chosen, email, passwordHash }))
      .catch((error: unknown) => {
        if (isUniqueViolation(error)) throw new Error(`a user with the email ${email} already exists.`)
        throw error
      })
    terminal.stderr.write(`Created the user ${created.user.email} in the account "${created.account.name}".\n`)
    terminal.stdout.write(`${created.user.id}\n`)
  })
}

/** Reads a new password for the user or identity of a command. @returns its hash */
export async function readHash(
  { terminal, config }: CommandContext,
  options: { passwordStdin?: true; minLength?: number },
): Promise<string> {
  const password = await readPassword(terminal, { fromStdin: options.passwordStdin === true, isNew: true })
  throwIfInvalid(passwordErrors(password, 'the password', options.minLength))
  return hashPassword(password, config.passwords)
}

/** @returns null when there is no account at all and none was named */
async function accountOrNone({ db }: CommandContext, named: string | undefined): Promise<Account | null> {
  if (named === undefined && (await listAccounts(db, { limit: 1 })).length === 0) return null
  return chooseAccount(db, named)
}

async function insert(
  tx: Transaction,
  input: { account: Account | null; email: string; passwordHash: string },
): Promise<{ account: Account; user: User }> {
  const { email, passwordHash } = input
  const now = await tx.now()
  // Another process may have created the first account while the password was typed.
  const account = input.account ?? (await ensureAccount(tx, { idIfNew: newId(), plan: startingPlan }))
  const user = await createUser(tx, { id: newId(), accountId: account.id, email, passwordHash, now })
  await insertEvents(tx, [userEvent('user-created', user, { id: newId(), actor: null, now })])
  return { account, user }
}

/** `listd user list`: of one account or of all. */
export async function listUsersCommand(
  terminal: Terminal,
  { account: named, json }: { account?: string; json?: true },
): Promise<void> {
  await withSchema(terminal, async ({ db }) => {
    const of = named === undefined ? {} : { accountId: (await chooseAccount(db, named)).id }
    const found = withinLimit(terminal, await listUsers(db, { ...of, limit: maxRows + 1 }))
    const names = await accountNames(db)
    const rows = found.map((user) => userRow(user, names))
    terminal.stdout.write(listing(rows, { columns, json }))
  })
}

/** A user in JSON output. @param names of accounts by id */
export function userRow(user: ListedUser, names: ReadonlyMap<string, string>) {
  const { id, email, accountId, createdAt, lastLoginAt, disabledAt } = user
  return {
    id,
    email,
    accountId,
    account: names.get(accountId) ?? null,
    createdAt: formatTime(createdAt),
    lastLoginAt: formatTime(lastLoginAt),
    disabledAt: formatTime(disabledAt),
  }
}

const columns = {
  id: 'id',
  email: 'email',
  account: 'account',
  created: 'createdAt',
  'last login': 'lastLoginAt',
  disabled: 'disabledAt',
} as const
