import type { Bus } from '#shared/bus/bus.ts'
import type { GroupRevoked, IdentityRevoked, Revoked, UserRevoked } from '#shared/bus/messages/revocation.ts'
import type { Authenticator } from './authenticator.ts'

// A change of permissions takes effect on this gateway before it answers the request, and on the others when they
// receive the message; if that is lost, their caches expire within 5 s. Call these after the change is committed. Commands send the
// same messages (services/supervisor/notify-gateways.ts).

type Revoking = { auth: Authenticator; bus: Bus }

/** After a session ended, or an API token was changed or deleted. */
export function revokeToken({ auth, bus }: Revoking, tokenHash: string): void {
  auth.invalidate(tokenHash)
  bus.broadcast('revoked', { tokenHash } satisfies Revoked)
}

/** After an identity was changed, or several of its sessions ended. */
export function revokeIdentity({ auth, bus }: Revoking, identityId: string): void {
  auth.invalidateIdentity(identityId)
  bus.broadcast('revoked-identity', { identityId } satisfies IdentityRevoked)
}

/** After several sessions of a user ended. */
export function revokeUser({ auth, bus }: Revoking, userId: string): void {
  auth.invalidateUser(userId)
  bus.broadcast('revoked-user', { userId } satisfies UserRevoked)
}

/** After the settings of a group were changed. */
export function revokeGroup({ auth, bus }: Revoking, group: GroupRevoked): void {
  auth.invalidateGroup(group)
  bus.broadcast('revoked-identity-group', group)
}
