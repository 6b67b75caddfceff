import type { UserSetup, UserSetupAnswer } from '#shared/bus/messages/identity.ts'
import type { HandlerContext } from '#shared/bus/requests/responders.ts'
import { startingPlan } from '#shared/config/plans.ts'
import { assertHashingCapacity, hashPassword } from '#shared/crypto/password.ts'
import { generateToken, tokenHash } from '#shared/crypto/token.ts'
import type { Transaction } from '#shared/data/database.ts'
import { insertEvents } from '#shared/data/events/events.ts'
import { tokenEvent } from '#shared/data/tokens/token-events.ts'
import { createToken, replaceTokenValue } from '#shared/data/tokens/tokens.ts'
import { createFirstUser } from '#shared/data/users/first-user.ts'
import { createSession } from '#shared/data/users/sessions.ts'
import { setupTokenError, useSetupToken } from '#shared/data/users/setup-tokens.ts'
import { findUserByEmailKey, recordLogin } from '#shared/data/users/users.ts'
import { allowEverything } from '#shared/domain/access/permission-rule.ts'
import { userSessionMs } from '#shared/domain/limits.ts'
import type { User } from '#shared/domain/user/fields.ts'
import { setupTokenInvalid } from '#shared/domain/user/setup-token.ts'
import { emailKey } from '#shared/domain/user/user.ts'
import type { Deps } from '../../context.ts'
import { doOnce } from '../once.ts'

/**
 * Creates the first user and the first API token, and signs the user in (contract 2.6). The set-up token is used up in the
 * same transaction, so that only one of several concurrent requests succeeds, and after a failure the token is still valid. User and token
 * have the key of the request as their id, so that a request that is sent again finds its own.
 * @throws IDENTITY_TOKEN_INVALID with `details.reason`, before anything is hashed; SERVICE_UNAVAILABLE when too many
 *   hashes wait
 */
export function setUp(deps: Deps, setup: UserSetup, context: HandlerContext): Promise<UserSetupAnswer> {
  return doOnce(
    () => createFirst(deps, setup, context),
    () => signInAgain(deps, setup, context),
  )
}

async function createFirst(deps: Deps, setup: UserSetup, context: HandlerContext): Promise<UserSetupAnswer> {
  const { db, passwords, log } = deps
  assertHashingCapacity()
  const reason = await setupTokenError(db, { hash: setup.tokenHash, now: await db.now() })
  if (reason) throw setupTokenInvalid(reason)
  const passwordHash = await hashPassword(setup.password, passwords, { startBefore: context.deadline })
  const sessionToken = generateToken('session')
  const ids = { account: deps.newId(), user: context.key, session: deps.newId(), token: context.key }
  const eventIds = { user: deps.newId(), token: deps.newId() }
  const answer = await db.transaction((tx) => write(tx, setup, { ids, eventIds, passwordHash, sessionToken }))
  const { userId, accountId } = answer
  log('user.first_created', { requestId: context.requestId, userId, accountId })
  return answer
}

type NewSecrets = {
  ids: Record<'account' | 'user' | 'session' | 'token', string>
  eventIds: Record<'user' | 'token', string>
  passwordHash: string
  sessionToken: string
}

async function write(
  tx: Transaction,
  { tokenHash: hash, email }: UserSetup,
  secrets: NewSecrets,
): Promise<UserSetupAnswer> {
  const { ids, eventIds, passwordHash, sessionToken } = secrets
  const now = await tx.now()
  const newIds = { accountId: ids.account, userId: ids.user, eventId: eventIds.user }
  const first = { ...newIds, plan: startingPlan, email, passwordHash }
  const user = (await useSetupToken(tx, { hash, now })) ? await createFirstUser(tx, first) : null
  if (!user) throw setupTokenInvalid((await setupTokenError(tx, { hash, now })) ?? 'used')
  const expiresAt = await signIn(tx, { user, passwordHash, id: ids.session, token: sessionToken, now })
  const { accountId } = user
  const permissions = [...allowEverything]
  const { token, value } = await createToken(tx, { id: ids.token, accountId, name: 'first', permissions, now })
  await insertEvents(tx, [tokenEvent('token-created', token, { id: eventIds.token, actor: null, now })])
  return { userId: user.id, accountId, token: sessionToken, expiresAt, apiToken: value }
}

async function signIn(
  tx: Transaction,
  session: { user: User; passwordHash: string; id: string; token: string; now: number },
): Promise<number> {
  const { id, token, now, passwordHash } = session
  const { id: userId, accountId } = session.user
  const expiresAt = now + userSessionMs
  await recordLogin(tx, { userId, passwordHash, now })
  await createSession(tx, { id, accountId, userId, tokenHash: tokenHash(token), createdAt: now, expiresAt })
  return expiresAt
}

/**
 * The result of an earlier execution of this request: signs the user in, and gives the token a new value, because no client has the first one.
 * @returns null when the request was not executed before
 */
async function signInAgain(
  { db, newId }: Deps,
  { email }: UserSetup,
  { key }: HandlerContext,
): Promise<UserSetupAnswer | null> {
  const user = await findUserByEmailKey(db, emailKey(email))
  if (user?.id !== key) return null
  const { id: userId, accountId, passwordHash } = user
  const [id, token] = [newId(), generateToken('session')]
  return db.transaction(async (tx) => {
    const apiToken = await replaceTokenValue(tx, { accountId, tokenId: key })
    const expiresAt = await signIn(tx, { user, passwordHash, id, token, now: await tx.now() })
    return { userId, accountId, token, expiresAt, apiToken }
  })
}
