import type { UserRevoked } from '#shared/bus/messages/revocation.ts'
import { newId } from '#shared/crypto/ids.ts'
import type { Database, Transaction } from '#shared/data/database.ts'
import { insertEvents } from '#shared/data/events/events.ts'
import { lockInstallation } from '#shared/data/settings/settings.ts'
import { forgetLoginAttempts } from '#shared/data/sign-in/login-attempts.ts'
import { deleteSessionsOfUser } from '#shared/data/users/sessions.ts'
import { type UserEventType, userEvent } from '#shared/data/users/user-events.ts'
import {
  findUserWithPassword,
  hasOtherUsers,
  type ListedUser,
  removeUser,
  setUserDisabled,
} from '#shared/data/users/users.ts'
import { userLoginKey } from '#shared/domain/identity/sign-in.ts'
import { notifyOfEnded } from '../../notify-gateways.ts'
import { confirm } from '../../terminal/confirm.ts'
import { formatJson } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { accountNames, withSchema } from '../database/database.ts'
import { getUserByEmail } from './set-password.ts'
import { userRow } from './user.ts'

type OneUser = { email: string; json?: true }
type Ending = OneUser & { force?: true }

/** `listd user disable`: keeps a user from signing in and ends their sessions. */
export async function disableUserCommand(terminal: Terminal, options: Ending): Promise<void> {
  await changeAccess(terminal, options, {
    type: 'user-disabled',
    said: ({ email }, ended) => `Disabled the user ${email}. ${ended}\n`,
    async write(tx, user, now) {
      if (!options.force) await assertNotLast(tx, user)
      return setUserDisabled(tx, keyOf(user), { disabledAt: now, now })
    },
  })
}

/** `listd user enable`: lets a disabled user sign in again, with the old password and without the delay after failed logins. */
export async function enableUserCommand(terminal: Terminal, options: OneUser): Promise<void> {
  await changeAccess(terminal, options, {
    type: 'user-enabled',
    said: ({ email }) => `The user ${email} may sign in.\n`,
    async write(tx, user, now) {
      // The same order as in a login, so that the two cannot deadlock.
      const changed = await setUserDisabled(tx, keyOf(user), { disabledAt: null, now })
      await forgetLoginAttempts(tx, userLoginKey(user.email))
      return changed
    },
  })
}

/** `listd user delete`: after a confirmation. What the user created stays, because it belongs to the account. */
export async function deleteUserCommand(terminal: Terminal, options: Ending & { yes?: true }): Promise<void> {
  await changeAccess(terminal, options, {
    type: 'user-deleted',
    question: options.yes ? null : ({ email }) => `This permanently deletes the user ${email}.`,
    said: ({ email }, ended) => `Deleted the user ${email}. ${ended}\n`,
    async write(tx, user) {
      if (!options.force) await assertNotLast(tx, user)
      return removeUser(tx, keyOf(user))
    },
  })
}

type AccessChange = {
  type: UserEventType
  /** The question to confirm; absent or null: do not ask. */
  question?: ((user: ListedUser) => string) | null
  /** @param ended a sentence about the sessions that have ended */
  said(user: ListedUser, ended: string): string
  /** @returns false when there was nothing to change */
  write(tx: Transaction, user: ListedUser, now: number): Promise<boolean>
}

/**
 * Changes whether a user may sign in, with the event of the change, and prints the user as JSON if requested.
 * @throws Error with a sentence when there is no such user; CommandFailed without confirmation
 */
async function changeAccess(terminal: Terminal, { email, json }: OneUser, change: AccessChange): Promise<void> {
  await withSchema(terminal, async (context) => {
    const { db } = context
    const found = await getUserByEmail(db, email)
    if (change.question) await confirm(terminal, change.question(found), 'yes')
    const { user, ended } = await writeChange(db, found, change)
    const sessions = await notifyOfEnded(context, ended, 'revoked-user', { userId: user.id } satisfies UserRevoked)
    terminal.stderr.write(change.said(user, sessions))
    if (json) terminal.stdout.write(formatJson(userRow(user, await accountNames(db))))
  })
}

async function writeChange(
  db: Database,
  found: ListedUser,
  change: AccessChange,
): Promise<{ user: ListedUser; ended: number }> {
  return db.transaction(async (tx) => {
    // Two commands at once could each count on the other's user as the remaining one.
    await lockInstallation(tx)
    const before = await findUserWithPassword(tx, keyOf(found))
    if (!before) throw new Error(`the user ${found.email} was deleted in the meantime.`)
    const now = await tx.now()
    if (!(await change.write(tx, before, now))) return { user: before, ended: 0 }
    // The log keeps the last state of a deleted user.
    const user = (await findUserWithPassword(tx, keyOf(found))) ?? before
    await insertEvents(tx, [userEvent(change.type, user, { id: newId(), actor: null, now })])
    return { user, ended: await deleteSessionsOfUser(tx, user.id) }
  })
}

/** @throws Error with a sentence when no user could then sign in to the account */
async function assertNotLast(tx: Transaction, user: ListedUser): Promise<void> {
  if (user.disabledAt !== null || (await hasOtherUsers(tx, keyOf(user)))) return
  throw new Error(
    `${user.email} is the last user who may sign in to this account, so nothing was changed; add --force to go ahead.`,
  )
}

const keyOf = ({ id: userId, accountId }: ListedUser) => ({ accountId, userId })
