import { hashingTimeoutMs, type UserUpdate, type UserUpdateAnswer } from '#shared/bus/messages/identity.ts'
import { type Account, findAccount } from '#shared/data/accounts/accounts.ts'
import { insertEvents } from '#shared/data/events/events.ts'
import { userEvent } from '#shared/data/users/user-events.ts'
import { changeUser, findUser } from '#shared/data/users/users.ts'
import { normalIdentityName } from '#shared/domain/identity/identity.ts'
import type { User } from '#shared/domain/user/fields.ts'
import { normalEmail } from '#shared/domain/user/user.ts'
import { AppError } from '#shared/errors.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { AccountDeps } from './context.ts'

export type SignedIn = { user: User; account: Account }

/** The user of a session, and the account. @throws USER_NOT_AUTHENTICATED when the user or the account no longer exists */
export async function getSignedIn({ db }: AccountDeps, of: { accountId: string; userId: string }): Promise<SignedIn> {
  const [user, account] = await Promise.all([findUser(db, of), findAccount(db, of.accountId)])
  if (!user || !account) throw new AppError('USER_NOT_AUTHENTICATED')
  return { user, account }
}

export type SelfBody = { displayName?: string | null; email?: string; password?: string; currentPassword?: string }

type SelfUpdate = { principal: UserPrincipal; body: SelfBody; clientAddress: string; requestId: string }

/**
 * Changes the signed-in user (contract 2.6). A new email or password requires the current password, which the identity service
 * verifies; the change ends the user's other sessions.
 * @throws USER_NOT_AUTHENTICATED when the user no longer exists; IDENTITY_NOT_AUTHENTICATED for a wrong or missing current password;
 *   IDENTITY_UNABLE_TO_CREATE when another user has the email; IDENTITY_TOO_MANY_ATTEMPTS; SERVICE_UNAVAILABLE
 */
export async function updateSelf(deps: AccountDeps, update: SelfUpdate): Promise<SignedIn> {
  const { principal } = update
  const body = await withoutSameEmail(deps, update)
  if (body.email !== undefined || body.password !== undefined) await changeCredentials(deps, { ...update, body })
  else if (body.displayName !== undefined) await rename(deps, principal, displayNameIn(body))
  return getSignedIn(deps, principal)
}

/** The body without its email if the user has that email already: a form sends all its fields. */
async function withoutSameEmail(deps: AccountDeps, { principal, body }: SelfUpdate): Promise<SelfBody> {
  const { email, ...others } = body
  if (email === undefined) return body
  const { user } = await getSignedIn(deps, principal)
  return normalEmail(email) === user.email ? others : body
}

function displayNameIn({ displayName }: SelfBody): { displayName?: string | null } {
  if (displayName === undefined) return {}
  return { displayName: displayName === null ? null : normalIdentityName(displayName) }
}

async function rename(
  { db, now, newId }: AccountDeps,
  { accountId, userId, actor }: UserPrincipal,
  changes: { displayName?: string | null },
): Promise<void> {
  const at = now()
  const event = { id: newId(), actor, now: at, changed: Object.keys(changes) }
  await db.transaction(async (tx) => {
    const user = await changeUser(tx, { accountId, userId }, { changes, now: at })
    if (!user) throw new AppError('USER_NOT_AUTHENTICATED')
    await insertEvents(tx, [userEvent('user-updated', user, event)])
  })
}

async function changeCredentials(
  deps: AccountDeps,
  { principal, body, clientAddress, requestId }: SelfUpdate,
): Promise<void> {
  const { accountId, userId, sessionId, actor } = principal
  const { email, password, currentPassword } = body
  if (currentPassword === undefined) throw new AppError('IDENTITY_NOT_AUTHENTICATED', { message: passwordMissing })
  const changes = {
    ...displayNameIn(body),
    ...(email !== undefined && { email: normalEmail(email) }),
    ...(password !== undefined && { password }),
  }
  const message: UserUpdate = { accountId, userId, sessionId, currentPassword, changes, clientAddress, actor }
  await deps.bus.request<UserUpdateAnswer>('identity.user-update', message, { timeoutMs: hashingTimeoutMs, requestId })
  // The identity service notifies all gateways, but this one must not respond before it has dropped the user's cached sessions.
  deps.auth.invalidateUser(userId)
}

const passwordMissing = 'A new email or password needs the current password in currentPassword.'
