import type { UserLogin, UserLoginAnswer } from '#shared/bus/messages/identity.ts'
import type { HandlerContext } from '#shared/bus/requests/responders.ts'
import { hashPassword, needsUpgrade } from '#shared/crypto/password.ts'
import { generateToken, tokenHash } from '#shared/crypto/token.ts'
import { forgetLoginAttempts } from '#shared/data/sign-in/login-attempts.ts'
import { createSession } from '#shared/data/users/sessions.ts'
import {
  findUserByEmailKey,
  recordLogin,
  type UserWithPassword,
  upgradePasswordHash,
} from '#shared/data/users/users.ts'
import { userLoginKey } from '#shared/domain/identity/sign-in.ts'
import { userSessionMs } from '#shared/domain/limits.ts'
import { emailErrors, emailKey } from '#shared/domain/user/user.ts'
import { AppError } from '#shared/errors.ts'
import type { Deps } from '../../context.ts'
import { limitAttempts } from '../../login-attempts.ts'

/**
 * Signs a dashboard user in (contract 2.6). The attempt is counted before anything is verified, and for every failure a
 * password is verified and the response is the same.
 * @throws USER_NOT_AUTHENTICATED; IDENTITY_TOO_MANY_ATTEMPTS with the wait; SERVICE_UNAVAILABLE when too many hashes wait
 */
export async function loginUser(deps: Deps, login: UserLogin, context: HandlerContext): Promise<UserLoginAnswer> {
  const { clientAddress, email } = login
  const { requestId, deadline } = context
  const attempt = { key: userLoginKey(email), clientAddress, requestId, deadline, name: email }
  return limitAttempts(deps, attempt, () => signIn(deps, login, context))
}

async function signIn(deps: Deps, login: UserLogin, context: HandlerContext): Promise<UserLoginAnswer> {
  const { password, clientAddress } = login
  const attempt = userLoginKey(login.email)
  // Again when the password was changed between reading and writing.
  for (let round = 0; round < 2; round++) {
    const user = await findNamed(deps, login)
    const isCorrect = await deps.checkPassword(user, { password, startBefore: context.deadline })
    if (!user || !isCorrect) break
    const answer = await openSession(deps, { user, attempt })
    if (!answer) continue
    deps.addressLimit.refund(clientAddress)
    deps.log('user.logged_in', { requestId: context.requestId, userId: user.id })
    if (needsUpgrade(user.passwordHash, deps.passwords)) deps.runInBackground(() => upgrade(deps, user, password))
    return answer
  }
  throw new AppError('USER_NOT_AUTHENTICATED')
}

/**
 * A text that cannot be an email never reaches the database: Postgres rejects a statement with U+0000. A disabled user counts as absent,
 * so that the response and its cost are the same.
 */
async function findNamed({ db }: Deps, { email }: UserLogin): Promise<UserWithPassword | null> {
  if (emailErrors(email, '').length > 0) return null
  const user = await findUserByEmailKey(db, emailKey(email))
  return user?.disabledAt === null ? user : null
}

/** @returns null when the user no longer exists, is disabled or has another password */
async function openSession(
  { db, newId }: Deps,
  { user, attempt }: { user: UserWithPassword; attempt: readonly string[] },
): Promise<UserLoginAnswer | null> {
  const { id: userId, accountId, passwordHash } = user
  const token = generateToken('session')
  const id = newId()
  return db.transaction(async (tx) => {
    const now = await tx.now()
    if (!(await recordLogin(tx, { userId, passwordHash, now }))) return null
    const expiresAt = now + userSessionMs
    await createSession(tx, { id, accountId, userId, tokenHash: tokenHash(token), createdAt: now, expiresAt })
    await forgetLoginAttempts(tx, attempt)
    return { userId, accountId, token, expiresAt }
  })
}

async function upgrade({ db, passwords }: Deps, user: UserWithPassword, password: string): Promise<void> {
  const to = await hashPassword(password, passwords)
  await upgradePasswordHash(db, { userId: user.id, from: user.passwordHash, to })
}
