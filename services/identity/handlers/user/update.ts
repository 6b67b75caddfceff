import type { UserUpdate, UserUpdateAnswer } from '#shared/bus/messages/identity.ts'
import type { UserRevoked } from '#shared/bus/messages/revocation.ts'
import type { HandlerContext } from '#shared/bus/requests/responders.ts'
import { hashPassword } from '#shared/crypto/password.ts'
import { isUniqueViolation } from '#shared/data/database-errors.ts'
import { insertEvents } from '#shared/data/events/events.ts'
import { forgetLoginAttempts } from '#shared/data/sign-in/login-attempts.ts'
import { deleteSessionsOfUser } from '#shared/data/users/sessions.ts'
import { userEvent } from '#shared/data/users/user-events.ts'
import { changeUser, findUserWithPassword, type UserChanges, type UserWithPassword } from '#shared/data/users/users.ts'
import { userLoginKey } from '#shared/domain/identity/sign-in.ts'
import { AppError } from '#shared/errors.ts'
import type { Deps } from '../../context.ts'
import { limitAttempts } from '../../login-attempts.ts'
import { changeOnce } from '../once.ts'

/**
 * Changes the email or the password of a signed-in user, with the current password, and ends the user's other sessions
 * (contract 2.6). A wrong password counts like a failed login of the user. A request that is sent again finds what it has done
 * (`changeOnce`).
 * @throws USER_NOT_AUTHENTICATED when the user was deleted; IDENTITY_NOT_AUTHENTICATED; IDENTITY_UNABLE_TO_CREATE when another
 *   user has the email; IDENTITY_TOO_MANY_ATTEMPTS with the wait; SERVICE_UNAVAILABLE when too many hashes wait
 */
export async function updateUser(deps: Deps, update: UserUpdate, context: HandlerContext): Promise<UserUpdateAnswer> {
  const { accountId } = update
  const { requestId, key } = context
  const userId = await changeOnce(deps.db, { accountId, key }, () => changeCredentials(deps, update, context))
  deps.bus.broadcast('revoked-user', { userId } satisfies UserRevoked)
  deps.log('user.credentials_changed', { requestId, userId })
  return { userId }
}

async function changeCredentials(deps: Deps, update: UserUpdate, context: HandlerContext): Promise<string> {
  const first = await findUserWithPassword(deps.db, update)
  if (!first) throw new AppError('USER_NOT_AUTHENTICATED')
  const { clientAddress } = update
  const { requestId, deadline } = context
  const attempt = { key: userLoginKey(first.email), clientAddress, requestId, deadline, name: first.email }
  return limitAttempts(deps, attempt, () => proveAndChange(deps, { update, first }, context))
}

async function proveAndChange(
  deps: Deps,
  { update, first }: { update: UserUpdate; first: UserWithPassword },
  { key: eventId, deadline }: HandlerContext,
): Promise<string> {
  const { clientAddress, currentPassword } = update
  // Again when the password was changed between reading and writing.
  for (let round = 0; round < 2; round++) {
    const user = round === 0 ? first : await findUserWithPassword(deps.db, update)
    const isCorrect = await deps.checkPassword(user, { password: currentPassword, startBefore: deadline })
    if (!user || !isCorrect) break
    const outcome = await change(deps, { user, update, eventId, startBefore: deadline })
    if (outcome === 'other password') continue
    await forgetLoginAttempts(deps.db, userLoginKey(first.email))
    deps.addressLimit.refund(clientAddress)
    if (outcome === 'email in use') throw emailTaken()
    return user.id
  }
  throw new AppError('IDENTITY_NOT_AUTHENTICATED', { message: 'The current password is not correct.' })
}

type Change = { user: UserWithPassword; update: UserUpdate; eventId: string; startBefore: number }

async function change(
  { db, passwords }: Deps,
  { user, update, eventId, startBefore }: Change,
): Promise<'changed' | 'other password' | 'email in use'> {
  const { sessionId, actor } = update
  const { password, ...named } = update.changes
  const hashed =
    password === undefined ? {} : { passwordHash: await hashPassword(password, passwords, { startBefore }) }
  const changes: UserChanges = { ...named, ...hashed }
  try {
    return await db.transaction(async (tx) => {
      const now = await tx.now()
      const after = await changeUser(tx, update, { changes, verifiedHash: user.passwordHash, now })
      if (!after) return 'other password'
      // After writing the user's row, which a login that opens a session writes too: so no session is missed.
      await deleteSessionsOfUser(tx, user.id, { except: sessionId })
      const changed = Object.keys(update.changes)
      await insertEvents(tx, [userEvent('user-updated', after, { id: eventId, actor, now, changed })])
      return 'changed'
    })
  } catch (error) {
    if (isUniqueViolation(error)) return 'email in use'
    throw error
  }
}

function emailTaken(): AppError {
  return new AppError('IDENTITY_UNABLE_TO_CREATE', { message: 'Another user has this email.' })
}
