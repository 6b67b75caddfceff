import { startingPlan } from '#shared/config/plans.ts'
import { newId } from '#shared/crypto/ids.ts'
import { hashPassword } from '#shared/crypto/password.ts'
import { createAccount, findAccounts } from '#shared/data/accounts.ts'
import { createUser, hasUsers } from '#shared/data/users.ts'
import type { CommandContext } from './database.ts'

/** Makes the user that `admin.email` and `admin.password` describe; they act only while there is none (contract 2.6). */
export async function createFirstUser({ config, db }: CommandContext): Promise<void> {
  if (await hasUsers(db)) return
  const { email, password } = config.admin
  const passwordHash = await hashPassword(password, config.passwords)
  await db.transaction(async (tx) => {
    if (await hasUsers(tx)) return
    const now = await tx.now()
    const [present] = await findAccounts(tx, { limit: 1 })
    const account = present ?? (await createAccount(tx, { id: newId(), name: 'main', plan: startingPlan, now }))
    await createUser(tx, { id: newId(), accountId: account.id, email, passwordHash, now })
  })
}
