import type { Config } from '#shared/config/load.ts'
import { keptItemVersions } from '#shared/domain/limits.ts'
import { limitsOfPlan } from '#shared/domain/plan/plan.ts'

/** A price plan on the wire; null: no limit. A plan that was removed from the configuration has only the limits of every account. */
export function toPlanJson({ plans, items }: Pick<Config, 'plans' | 'items'>, id: string) {
  const limits = limitsOfPlan(plans[id])
  return {
    id,
    name: plans[id]?.name ?? id,
    ...limits,
    // The limits of every account apply to each plan too.
    maxItemSize: Math.min(limits.maxItemSize ?? items.maxBytes, items.maxBytes),
    maxItemVersions: limits.maxItemVersions ?? keptItemVersions,
    generativeAPI: null,
  }
}
