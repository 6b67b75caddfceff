import type { IdentityLogin, IdentityLoginAnswer } from '#shared/bus/messages/identity.ts'
import type { HandlerContext } from '#shared/bus/requests/responders.ts'
import { hashPassword, needsUpgrade } from '#shared/crypto/password.ts'
import { generateToken, tokenHash } from '#shared/crypto/token.ts'
import {
  findIdentityToSignIn,
  type IdentityToSignIn,
  recordIdentityLogin,
  upgradeIdentityPassword,
} from '#shared/data/identities/identities.ts'
import { createIdentitySession } from '#shared/data/identities/identity-sessions.ts'
import { forgetLoginAttempts } from '#shared/data/sign-in/login-attempts.ts'
import type { GroupSettings } from '#shared/domain/identity/group-fields.ts'
import type { Identity } from '#shared/domain/identity/identity.ts'
import { loginAttemptKey, loginKey } from '#shared/domain/identity/sign-in.ts'
import { AppError } from '#shared/errors.ts'
import type { Deps } from '../../context.ts'
import { limitAttempts } from '../../login-attempts.ts'

/**
 * Signs an identity in (contract 2.5). For every failure, also a deactivated identity and a token that may not sign it in, a
 * password is verified and the response is the same.
 * @throws IDENTITY_NOT_AUTHENTICATED; IDENTITY_EMAIL_NOT_VERIFIED only after a correct password; IDENTITY_TOO_MANY_ATTEMPTS
 *   with the wait; SERVICE_UNAVAILABLE when too many hashes wait
 */
export async function loginIdentity(
  deps: Deps,
  login: IdentityLogin,
  context: HandlerContext,
): Promise<IdentityLoginAnswer> {
  const { accountId, clientAddress, who } = login
  const named = await findNamed(deps, login)
  const key = loginAttemptKey(accountId, who, named?.identity.id)
  const name = 'name' in who ? who.name : who.email
  const within = { accountId, group: who.group }
  const { requestId, deadline } = context
  return limitAttempts(deps, { key, clientAddress, requestId, deadline, name, within }, () =>
    signIn(deps, { login, first: named, attempt: key }, context),
  )
}

type Attempt = { login: IdentityLogin; first: IdentityToSignIn | null; attempt: readonly string[] }

async function signIn(
  deps: Deps,
  { login, first, attempt }: Attempt,
  { requestId, deadline }: HandlerContext,
): Promise<IdentityLoginAnswer> {
  const { accountId, clientAddress } = login
  // Again when the password was changed between reading and writing.
  for (let round = 0; round < 2; round++) {
    const named = round === 0 ? first : await findNamed(deps, login)
    const found = await verify(deps, { ...login, named, startBefore: deadline })
    if (!found) break
    const { id: identityId } = found.identity
    const answer = await openSession(deps, { found, attempt })
    if (!answer) continue
    deps.addressLimit.refund(clientAddress)
    if ('rejectedAs' in answer) throw new AppError(answer.rejectedAs)
    deps.log('identity.logged_in', { requestId, accountId, identityId })
    if (needsUpgrade(found.passwordHash, deps.passwords))
      deps.runInBackground(() => upgrade(deps, found, login.password))
    return answer
  }
  throw new AppError('IDENTITY_NOT_AUTHENTICATED')
}

type Found = { identity: Identity; passwordHash: string; settings: GroupSettings }

async function findNamed({ db }: Deps, { accountId, who }: IdentityLogin): Promise<IdentityToSignIn | null> {
  const key = loginKey(who)
  return key ? findIdentityToSignIn(db, { accountId, ...key }) : null
}

type Check = { named: IdentityToSignIn | null; password: string; permitted: boolean; startBefore: number }

/** The named identity, if the password is correct and it may sign in. */
async function verify(deps: Deps, { named, password, permitted, startBefore }: Check): Promise<Found | null> {
  const subject = named && { id: named.identity.id, passwordHash: named.passwordHash }
  const isCorrect = await deps.checkPassword(subject, { password, startBefore })
  if (!named || named.passwordHash === null) return null
  if (!isCorrect || !permitted || !named.identity.activated) return null
  return { ...named, passwordHash: named.passwordHash }
}

/** The password was correct, and its login attempts are forgotten: the transaction ends before this is thrown. */
type Unverified = { rejectedAs: 'IDENTITY_EMAIL_NOT_VERIFIED' }

/** @returns null when the identity no longer exists, is deactivated or has another password */
async function openSession(
  { db, newId }: Deps,
  { found, attempt }: { found: Found; attempt: readonly string[] },
): Promise<IdentityLoginAnswer | Unverified | null> {
  const { identity, passwordHash, settings } = found
  const { id: identityId, accountId } = identity
  const token = generateToken('identity')
  const id = newId()
  return db.transaction(async (tx) => {
    const now = await tx.now()
    const unverified = settings.requireVerifiedEmail && !identity.emailVerified
    if (!unverified && !(await recordIdentityLogin(tx, { identityId, passwordHash, now }))) return null
    await forgetLoginAttempts(tx, attempt)
    if (unverified) return { rejectedAs: 'IDENTITY_EMAIL_NOT_VERIFIED' }
    const expiresAt = now + settings.sessionLifetimeSeconds * 1_000
    const times = { createdAt: now, lastUsedAt: now, expiresAt }
    await createIdentitySession(tx, { id, accountId, identityId, tokenHash: tokenHash(token), ...times })
    return { identityId, token, expiresAt }
  })
}

async function upgrade({ db, passwords }: Deps, { identity, passwordHash }: Found, password: string): Promise<void> {
  const to = await hashPassword(password, passwords)
  await upgradeIdentityPassword(db, { identityId: identity.id, from: passwordHash, to })
}
