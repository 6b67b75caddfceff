import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import type { Queries } from '#shared/data/database.ts'
import { findIdentity } from '#shared/data/identities/identities.ts'
import { findToken } from '#shared/data/tokens/tokens.ts'
import type { FlowRunRequest } from '#shared/domain/flow/run/driver.ts'
import type { ParsedFlow } from './parsed-flows.ts'

/** The caller, as expressions see it. A property is null if there is no such caller, or if no expression names it. */
export type Caller = Pick<FlowRunRequest, 'identity' | 'token'>

export async function callerOf(
  db: Queries,
  principal: AuthenticatedPrincipal | null,
  { namesIdentity, namesToken }: ParsedFlow,
): Promise<Caller> {
  if (principal?.mode !== 'token') return { identity: null, token: null }
  const { accountId, tokenId, identity: acting } = principal
  const token = namesToken ? await findToken(db, { accountId, tokenId }) : null
  return {
    identity: acting && namesIdentity ? await findCallingIdentity(db, { accountId, identityId: acting.id }) : null,
    token: token && { id: token.id, name: token.name, tags: token.tags },
  }
}

/** An identity of the account, as expressions see it; null: it does not exist. */
export async function findCallingIdentity(
  db: Queries,
  at: { accountId: string; identityId: string },
): Promise<Caller['identity']> {
  const found = await findIdentity(db, at)
  if (!found) return null
  const { id, name, displayName, group, tags } = found.identity
  return { id, name, displayName, group: group ?? '', tags }
}
