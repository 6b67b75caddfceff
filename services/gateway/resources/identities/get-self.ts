import { findIdentity } from '#shared/data/identities/identities.ts'
import { countIdentitySessions } from '#shared/data/identities/identity-sessions.ts'
import type { Identity } from '#shared/domain/identity/identity.ts'
import { toOwnIdentityJson } from '#shared/domain/identity/json.ts'
import { AppError } from '#shared/errors.ts'
import type { IdentityDeps } from './context.ts'

/** An identity as it sees itself: with its email and the number of its sessions. */
export type OwnIdentity = { identity: Identity; sessionCount: number }

/** An identity as it sees itself. @throws IDENTITY_NOT_AUTHENTICATED when it no longer exists */
export async function getOwnIdentity(
  { db, now }: Pick<IdentityDeps, 'db' | 'now'>,
  of: { accountId: string; identityId: string },
): Promise<OwnIdentity> {
  const found = await findIdentity(db, of)
  if (!found) throw new AppError('IDENTITY_NOT_AUTHENTICATED')
  const { identity, settings } = found
  const sessionCount = await countIdentitySessions(db, { ...of, settings, now: now() })
  return { identity, sessionCount }
}

export function ownIdentityJson({ identity, sessionCount }: OwnIdentity) {
  return toOwnIdentityJson(identity, { sessionCount })
}
