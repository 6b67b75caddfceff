import { newId } from '#shared/crypto/ids.ts'
import { hashPassword } from '#shared/crypto/password.ts'
import { isUniqueViolation } from '#shared/data/database.ts'
import { createUser } from '#shared/data/users.ts'
import { passwordFaults } from '#shared/domain/password.ts'
import { emailFaults } from '#shared/domain/user.ts'
import { chooseAccount, withSchema } from './database.ts'
import { refuseFaults } from './faults.ts'
import { readPassword } from './read-password.ts'

export type CreateUserOptions = { email: string; account?: string; passwordStdin?: true }

/** `listd user create`: prints the user's id. The password is never an argument: other users of a machine see those. */
export async function createUserCommand(options: CreateUserOptions): Promise<void> {
  refuseFaults(emailFaults(options.email, '--email'))
  await withSchema(async ({ config, db }) => {
    const account = await chooseAccount(db, options.account)
    const password = await readPassword({ fromStdin: options.passwordStdin === true })
    refuseFaults(passwordFaults(password, 'the password'))
    const passwordHash = await hashPassword(password, config.passwords)
    const { email } = options
    const user = await createUser(db, {
      id: newId(),
      accountId: account.id,
      email,
      passwordHash,
      now: Date.now(),
    }).catch((error: unknown) => {
      if (isUniqueViolation(error)) throw new Error(`there is a user with the email ${email} already.`)
      throw error
    })
    process.stderr.write(`Made the user ${user.email} of the account "${account.name}".\n`)
    process.stdout.write(`${user.id}\n`)
  })
}
