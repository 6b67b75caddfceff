import type { Queries } from '#shared/data/database.ts'
import { findDependents } from '#shared/data/dependents.ts'
import { isSelected, selectFlows } from '#shared/domain/access/selections.ts'
import type { Loss } from '#shared/domain/use/losses.ts'
import { type Dependent, distinctUses } from '#shared/domain/use/use.ts'
import { type FoundDependents, lossWarnings } from '#shared/domain/use/warnings.ts'
import type { AuthenticatedPrincipal, TokenPrincipal } from '../request/principal.ts'
import { isAllowedForAny } from './authorize.ts'

/**
 * The warnings of a change for its caller: the dependents of what the change removes, by name if the principal may view them.
 * Reads nothing if the change removes nothing.
 */
export async function dependentWarnings(
  db: Queries,
  principal: AuthenticatedPrincipal,
  losses: readonly Loss[],
): Promise<string[]> {
  return warningsOf(principal, losses, await findDependentsOf(db, principal, losses))
}

/** The dependents of what one change, or all changes of a plan, remove. */
export function findDependentsOf(
  db: Queries,
  { accountId }: AuthenticatedPrincipal,
  losses: readonly Loss[],
): Promise<FoundDependents> {
  return findDependents(db, { accountId, uses: distinctUses(losses.map(({ use }) => use)) })
}

/** The same warnings, for dependents that have already been found. */
export function warningsOf(
  principal: AuthenticatedPrincipal,
  losses: readonly Loss[],
  found: FoundDependents,
): string[] {
  return losses.length === 0 ? [] : lossWarnings(losses, found, mayNameBy(principal))
}

/** Whether the principal may see the name of a dependent. */
function mayNameBy(principal: AuthenticatedPrincipal): (dependent: Dependent) => boolean {
  if (principal.mode === 'user') return () => true
  // Tokens cannot see other tokens.
  const mayName: NamedForTokens = { flow: mayViewFlow(principal), token: () => false }
  return ({ kind, id }) => mayName[kind](id)
}

/** For each kind of dependents, those whose names a token may see. */
type NamedForTokens = Record<Dependent['kind'], (id: string) => boolean>

function mayViewFlow(principal: TokenPrincipal): (id: string) => boolean {
  const viewing = { action: 'view', resourceType: 'flow' } as const
  if (!isAllowedForAny(principal, viewing)) return () => false
  return isSelected(selectFlows(principal.permissions, viewing))
}
