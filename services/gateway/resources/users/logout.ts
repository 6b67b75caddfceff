import { deleteSession } from '#shared/data/users/sessions.ts'
import { revokeToken } from '../../auth/revocation.ts'
import type { AccountDeps } from './context.ts'

/**
 * Ends a session, if it has not ended yet. Done here and not by the identity service, so that it works while NATS is
 * unreachable: on this gateway before the response, on others by the message or, without it, when their caches expire.
 */
export async function logout(deps: AccountDeps, tokenHash: string): Promise<void> {
  await deleteSession(deps.db, tokenHash)
  revokeToken(deps, tokenHash)
}
