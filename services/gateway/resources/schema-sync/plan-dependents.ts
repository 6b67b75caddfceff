import type { Change } from '#shared/domain/sync/change.ts'
import { changeKey, planLosses } from '#shared/domain/sync/losses.ts'
import type { Plan } from '#shared/domain/sync/schema-sync.ts'
import { inTimeSlices } from '#shared/time/time-slices.ts'
import { findDependentsOf, warningsOf } from '../../auth/dependents.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { SchemaSyncDeps } from './context.ts'

/** The dependents of what one sync removes. */
export type PlanDependents = {
  /** Finds the dependents for a plan of any size, with one statement for each kind. */
  find(plan: Plan): Promise<void>
  /** The changes with the warnings about their dependents. */
  addTo(changes: readonly Change[]): Change[]
}

export function createPlanDependents(
  { db }: Pick<SchemaSyncDeps, 'db'>,
  principal: AuthenticatedPrincipal,
): PlanDependents {
  /** By `changeKey`. */
  let warnings: ReadonlyMap<string, string[]> = new Map()
  return {
    async find(plan) {
      const losses = await inTimeSlices(planLosses(plan))
      const found = await findDependentsOf(
        db.long,
        principal,
        losses.flatMap((lost) => lost.losses),
      )
      warnings = new Map(losses.map(({ key, losses: own }) => [key, warningsOf(principal, own, found)]))
    },
    addTo: (changes) =>
      changes.map((change) => {
        const own = warnings.get(changeKey(change)) ?? []
        return own.length === 0 ? change : { ...change, warnings: [...(change.warnings ?? []), ...own] }
      }),
  }
}
