import { startingPlan } from '#shared/config/plans.ts'
import { newId } from '#shared/crypto/ids.ts'
import { hashPassword } from '#shared/crypto/password.ts'
import { createFirstUser } from '#shared/data/users/first-user.ts'
import { hasUsers } from '#shared/data/users/users.ts'
import type { CommandContext } from './database.ts'

/** Creates the user of `admin.email` and `admin.password`, if there is no user yet (contract 2.6). */
export async function createConfiguredUser({ config, db }: Omit<CommandContext, 'terminal'>): Promise<void> {
  if (await hasUsers(db)) return
  const { email, password } = config.admin
  const passwordHash = await hashPassword(password, config.passwords)
  const ids = { accountId: newId(), userId: newId(), eventId: newId() }
  await db.transaction((tx) => createFirstUser(tx, { ...ids, plan: startingPlan, email, passwordHash }))
}
