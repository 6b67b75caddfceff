import { findIdentity } from '#shared/data/identities/identities.ts'
import {
  findIdentitySessionById,
  type IdentitySessionOrder,
  type OwnSession,
  readIdentitySessionPage,
} from '#shared/data/identities/identity-session-page.ts'
import type { LiveSessions } from '#shared/data/identities/identity-sessions.ts'
import type { Page, PageRequest } from '#shared/data/pages/page.ts'
import { AppError } from '#shared/errors.ts'
import type { IdentityDeps } from '../context.ts'
import type { ActingIdentity } from './acting-identity.ts'

/** One page of the identity's own sessions. @throws VALIDATION_FAILED for a cursor that is not of this listing */
export async function listOwnSessions(
  deps: IdentityDeps,
  acting: ActingIdentity,
  request: PageRequest & { order: IdentitySessionOrder },
): Promise<Page<OwnSession>> {
  return readIdentitySessionPage(deps.db.long, await liveSessions(deps, acting), request)
}

/** One of the identity's own sessions. @throws REQUESTED_ENTITY_NOT_FOUND when there is none, or it belongs to another identity */
export async function getOwnSession(
  deps: IdentityDeps,
  acting: ActingIdentity,
  sessionId: string,
): Promise<OwnSession> {
  const session = await findIdentitySessionById(deps.db, { ...(await liveSessions(deps, acting)), sessionId })
  if (!session) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  return session
}

async function liveSessions({ db, now }: IdentityDeps, acting: ActingIdentity): Promise<LiveSessions> {
  const { accountId, identityId } = acting
  const found = await findIdentity(db, { accountId, identityId })
  if (!found) throw new AppError('IDENTITY_NOT_AUTHENTICATED')
  return { accountId, identityId, settings: found.settings, now: now() }
}
