import type { Config } from '#shared/config/load.ts'
import { keptItemVersions } from '#shared/domain/limits.ts'
import { limitsOfPlan } from '#shared/domain/plan/plan.ts'

/** A price plan on the wire: null is unlimited. A plan that was removed from the configuration limits nothing. */
export function toPlanJson({ plans, items }: Pick<Config, 'plans' | 'items'>, id: string) {
  const limits = limitsOfPlan(plans[id])
  return {
    id,
    name: plans[id]?.name ?? id,
    ...limits,
    // What holds for every account is a limit of its plan too.
    maxItemSize: Math.min(limits.maxItemSize ?? items.maxBytes, items.maxBytes),
    maxItemVersions: limits.maxItemVersions ?? keptItemVersions,
    generativeAPI: null,
  }
}
