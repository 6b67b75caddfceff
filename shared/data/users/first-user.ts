import type { User } from '#shared/domain/user/fields.ts'
import { type Account, createAccount, listAccounts } from '../accounts/accounts.ts'
import type { Transaction } from '../database.ts'
import { insertEvents } from '../events/events.ts'
import { lockInstallation } from '../settings/settings.ts'
import { userEvent } from './user-events.ts'
import { createUser, hasUsers } from './users.ts'

/** The first user; `plan` and `accountId` are used only if an account has to be created. */
type FirstUser = {
  accountId: string
  userId: string
  eventId: string
  plan: string
  email: string
  passwordHash: string
}

/**
 * Creates the installation's first user, in the oldest account or, if there is none, in a new one named `main`.
 * @returns null when there is a user already
 */
export async function createFirstUser(tx: Transaction, first: FirstUser): Promise<User | null> {
  await lockInstallation(tx)
  if (await hasUsers(tx)) return null
  const { userId: id, eventId, plan, email, passwordHash } = first
  const now = await tx.now()
  const account = await oldestAccount(tx, { idIfNew: first.accountId, plan })
  const user = await createUser(tx, { id, accountId: account.id, email, passwordHash, now })
  await insertEvents(tx, [userEvent('user-created', user, { id: eventId, actor: null, now })])
  return user
}

/** The oldest account or, if there is none, a new one on this plan. */
export async function ensureAccount(tx: Transaction, options: { idIfNew: string; plan: string }): Promise<Account> {
  await lockInstallation(tx)
  return oldestAccount(tx, options)
}

async function oldestAccount(
  tx: Transaction,
  { idIfNew: id, plan }: { idIfNew: string; plan: string },
): Promise<Account> {
  const [present] = await listAccounts(tx, { limit: 1 })
  return present ?? createAccount(tx, { id, name: 'main', plan, now: await tx.now() })
}
