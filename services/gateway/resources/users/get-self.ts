import { type Account, findAccount } from '#shared/data/accounts/accounts.ts'
import { findUser } from '#shared/data/users/users.ts'
import type { User } from '#shared/domain/user/fields.ts'
import { AppError } from '#shared/errors.ts'
import type { AccountDeps } from './context.ts'

export type SignedIn = { user: User; account: Account }

/** The user behind a session, and the account. @throws USER_NOT_AUTHENTICATED when the user no longer exists */
export async function getSignedIn({ db }: AccountDeps, of: { accountId: string; userId: string }): Promise<SignedIn> {
  const [user, account] = await Promise.all([findUser(db, of), findAccount(db, of.accountId)])
  if (!user || !account) throw new AppError('USER_NOT_AUTHENTICATED')
  return { user, account }
}
