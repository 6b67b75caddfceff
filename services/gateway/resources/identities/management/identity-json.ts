import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import type { GroupedIdentity } from '#shared/data/identities/identities.ts'
import { countSessionsOfAll } from '#shared/data/identities/identity-sessions.ts'
import { toIdentityJson, toOwnIdentityJson } from '#shared/domain/identity/json.ts'
import type { IdentityDeps } from '../context.ts'

type IdentityJson = ReturnType<typeof toIdentityJson> | ReturnType<typeof toOwnIdentityJson>

/** Identities as the principal sees them. A token sees email and session count only of the identity that it acts for, a user those of all. */
export async function showIdentities(
  { db, now }: Pick<IdentityDeps, 'db' | 'now'>,
  principal: AuthenticatedPrincipal,
  found: readonly GroupedIdentity[],
): Promise<IdentityJson[]> {
  const seesAll = ({ identity }: GroupedIdentity) => principal.mode === 'user' || principal.identity?.id === identity.id
  const own = found.filter(seesAll).map(({ identity, settings }) => ({ identityId: identity.id, settings }))
  const counts = own.length === 0 ? new Map<string, number>() : await countSessionsOfAll(db, own, now())
  return found.map((one) => {
    if (!seesAll(one)) return toIdentityJson(one.identity)
    return toOwnIdentityJson(one.identity, { sessionCount: counts.get(one.identity.id) ?? 0 })
  })
}

/** One identity as the principal sees it. */
export async function showIdentity(
  deps: Pick<IdentityDeps, 'db' | 'now'>,
  principal: AuthenticatedPrincipal,
  found: GroupedIdentity,
): Promise<IdentityJson | undefined> {
  return (await showIdentities(deps, principal, [found]))[0]
}
