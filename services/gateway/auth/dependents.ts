import type { Queries } from '#shared/data/database.ts'
import { findDependents } from '#shared/data/dependents.ts'
import { isSelected, selectFlows } from '#shared/domain/access/selections.ts'
import type { Loss } from '#shared/domain/use/losses.ts'
import { type Dependent, distinctUses } from '#shared/domain/use/use.ts'
import { type FoundDependents, lossWarnings } from '#shared/domain/use/warnings.ts'
import type { AuthenticatedPrincipal, TokenPrincipal } from '../request/principal.ts'
import { isAllowedForAny } from './authorize.ts'

/**
 * The warnings of a change for its caller: what depends on what it removes, by name where the principal may view it.
 * Nothing is read where nothing is lost.
 */
export async function dependentWarnings(
  db: Queries,
  principal: AuthenticatedPrincipal,
  losses: readonly Loss[],
): Promise<string[]> {
  return warningsOf(principal, losses, await findDependentsOf(db, principal, losses))
}

/** What depends on what changes remove, of one change or of all changes of a plan. */
export function findDependentsOf(
  db: Queries,
  { accountId }: AuthenticatedPrincipal,
  losses: readonly Loss[],
): Promise<FoundDependents> {
  return findDependents(db, { accountId, uses: distinctUses(losses.map(({ use }) => use)) })
}

/** The same warnings, of those that were found. */
export function warningsOf(
  principal: AuthenticatedPrincipal,
  losses: readonly Loss[],
  found: FoundDependents,
): string[] {
  return losses.length === 0 ? [] : lossWarnings(losses, found, mayNameBy(principal))
}

/** Whether the principal may know a dependent by its name. */
function mayNameBy(principal: AuthenticatedPrincipal): (dependent: Dependent) => boolean {
  if (principal.mode === 'user') return () => true
  // Tokens see no other tokens.
  const mayName: NamedForTokens = { flow: mayViewFlow(principal), token: () => false }
  return ({ kind, id }) => mayName[kind](id)
}

/** For each kind of dependents, which of them a token may see by name. */
type NamedForTokens = Record<Dependent['kind'], (id: string) => boolean>

function mayViewFlow(principal: TokenPrincipal): (id: string) => boolean {
  const viewing = { action: 'view', resourceType: 'flow' } as const
  if (!isAllowedForAny(principal, viewing)) return () => false
  return isSelected(selectFlows(principal.permissions, viewing))
}
