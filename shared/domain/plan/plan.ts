import { keptItemVersions, maxIndexesPerList } from '../limits.ts'

/**
 * The limits that a price plan may set, by their names in the configuration and on the wire, each with the least and the
 * greatest number that it may be.
 */
export const planLimits = {
  maxWebhooks: [0, Number.MAX_SAFE_INTEGER],
  maxLists: [0, Number.MAX_SAFE_INTEGER],
  maxItemsPerList: [0, Number.MAX_SAFE_INTEGER],
  maxIndexesPerList: [0, maxIndexesPerList],
  maxItemSize: [1, Number.MAX_SAFE_INTEGER],
  maxItemVersions: [1, keptItemVersions],
  maxStorageBytes: [0, Number.MAX_SAFE_INTEGER],
  maxTokens: [0, Number.MAX_SAFE_INTEGER],
  maxIdentities: [0, Number.MAX_SAFE_INTEGER],
} as const satisfies Record<string, readonly [min: number, max: number]>

export type PlanLimit = keyof typeof planLimits

/** A price plan as it is configured: what is absent or null is without limit. */
export type Plan = { name: string } & { [Name in PlanLimit]?: number | null }

/** What a price plan limits; null: no limit. */
export type PlanLimits = Readonly<Record<PlanLimit, number | null>>

/** The limits of a plan. A plan that was removed from the configuration limits nothing. */
export function limitsOfPlan(plan: Readonly<Plan> | undefined): PlanLimits {
  const limits = planLimitNames.map((name) => [name, plan?.[name] ?? null])
  return Object.fromEntries(limits) as PlanLimits
}

/**
 * The limits of an account, by the id of its plan; null: it has none. So whoever asks pays one look at a null where nothing is
 * limited. The number of webhooks has a rule of its own.
 */
export function createAccountLimits(
  plans: Readonly<Record<string, Readonly<Plan>>>,
): (plan: string) => PlanLimits | null {
  const byId = new Map(Object.entries(plans).map(([id, plan]) => [id, orNull(limitsOfPlan(plan))]))
  return (plan) => byId.get(plan) ?? null
}

function orNull(limits: PlanLimits): PlanLimits | null {
  return planLimitNames.some((name) => name !== 'maxWebhooks' && limits[name] !== null) ? limits : null
}

const planLimitNames = Object.keys(planLimits) as PlanLimit[]
