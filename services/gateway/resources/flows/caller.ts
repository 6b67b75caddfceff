import type { Queries } from '#shared/data/database.ts'
import { findIdentity } from '#shared/data/identities/identities.ts'
import { findToken } from '#shared/data/tokens/tokens.ts'
import type { FlowRunRequest } from '#shared/domain/flow/driver.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { ParsedFlow } from './parsed-flows.ts'

/** Who calls, as expressions see it; null where nobody does, and where no expression names it. */
export type Caller = Pick<FlowRunRequest, 'identity' | 'token'>

export async function callerOf(
  db: Queries,
  principal: AuthenticatedPrincipal | null,
  { namesIdentity, namesToken }: ParsedFlow,
): Promise<Caller> {
  if (principal?.mode !== 'token') return { identity: null, token: null }
  const { accountId, tokenId, identity: acting } = principal
  const found = acting && namesIdentity ? await findIdentity(db, { accountId, identityId: acting.id }) : null
  const token = namesToken ? await findToken(db, { accountId, tokenId }) : null
  return {
    identity: found && {
      id: found.identity.id,
      name: found.identity.name,
      displayName: found.identity.displayName,
      group: acting?.groupName ?? '',
      tags: found.identity.tags,
    },
    token: token && { id: token.id, name: token.name, tags: token.tags },
  }
}
