import type { UserRevoked } from '#shared/bus/messages/revocation.ts'
import { newId } from '#shared/crypto/ids.ts'
import type { Database } from '#shared/data/database.ts'
import { insertEvents } from '#shared/data/events/events.ts'
import { forgetLoginAttempts } from '#shared/data/sign-in/login-attempts.ts'
import { deleteSessionsOfUser } from '#shared/data/users/sessions.ts'
import { userEvent } from '#shared/data/users/user-events.ts'
import { changeUser, findUserByEmailKey, type ListedUser } from '#shared/data/users/users.ts'
import { userLoginKey } from '#shared/domain/identity/sign-in.ts'
import { emailKey } from '#shared/domain/user/user.ts'
import { notifyOfEnded } from '../../notify-gateways.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { withSchema } from '../database/database.ts'
import { readHash } from './user.ts'

/**
 * `listd user set-password`: prompts for the new password, and ends the user's sessions and the delay after failed logins: the
 * operator expects the user to sign in now.
 */
export async function setPasswordCommand(
  terminal: Terminal,
  options: { email: string; passwordStdin?: true },
): Promise<void> {
  await withSchema(terminal, async (context) => {
    const { db } = context
    const user = await getUserByEmail(db, options.email)
    const passwordHash = await readHash(context, options)
    const ended = await db.transaction(async (tx) => {
      const now = await tx.now()
      const key = { accountId: user.accountId, userId: user.id }
      const changed = await changeUser(tx, key, { changes: { passwordHash }, now })
      if (!changed) return null
      await forgetLoginAttempts(tx, userLoginKey(changed.email))
      const event = { id: newId(), actor: null, now, changed: ['password'] }
      await insertEvents(tx, [userEvent('user-updated', changed, event)])
      return deleteSessionsOfUser(tx, user.id)
    })
    if (ended === null) throw new Error(`the user ${user.email} was deleted in the meantime.`)
    const endedSessions = await notifyOfEnded(context, ended, 'revoked-user', { userId: user.id } satisfies UserRevoked)
    const still = user.disabledAt === null ? '' : ' The user stays disabled until you run "listd user enable".'
    terminal.stderr.write(`Set the password of ${user.email}. ${endedSessions}${still}\n`)
  })
}

/** @throws Error with a sentence when there is none */
export async function getUserByEmail(db: Database, email: string): Promise<ListedUser> {
  const user = await findUserByEmailKey(db, emailKey(email))
  if (user) return user
  throw new Error(`there is no user with the email ${email}; "listd user list" lists the users.`)
}
