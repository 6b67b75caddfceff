import { startingPlan } from '#shared/config/plans.ts'
import { newId } from '#shared/crypto/ids.ts'
import { createAccount, findAccounts } from '#shared/data/accounts.ts'
import { lengths } from '#shared/domain/limits.ts'
import { withSchema } from './database.ts'

/** `listd account create`: prints the account's id. The command line chooses accounts by name, so a name is taken once. */
export async function createAccountCommand(options: { name: string }): Promise<void> {
  const name = options.name.trim().normalize('NFC')
  if (name === '' || name.length > lengths.name) {
    throw new Error(`--name must be 1 to ${lengths.name} characters.`)
  }
  await withSchema(async ({ db }) => {
    const account = await db.transaction(async (tx) => {
      if ((await findAccounts(tx, { named: name, limit: 1 })).length > 0) return null
      return createAccount(tx, { id: newId(), name, plan: startingPlan, now: await tx.now() })
    })
    if (!account) throw new Error(`there is an account "${name}" already.`)
    process.stderr.write(`Made the account "${name}" on the plan ${account.plan}.\n`)
    process.stdout.write(`${account.id}\n`)
  })
}
