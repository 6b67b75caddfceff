import { keptItemVersions, maxIndexesPerList } from '../limits.ts'
import type { RateLimits } from './rates.ts'

/** The limits that a price plan may set, by their names in the configuration and on the wire, each with its minimum and maximum. */
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
  maxFlows: [0, Number.MAX_SAFE_INTEGER],
  maxRealtimeConnections: [0, Number.MAX_SAFE_INTEGER],
  rateLimit: [1, 60_000],
  maxRequestsPerMinute: [1, Number.MAX_SAFE_INTEGER],
  maxRequestsPerMonth: [0, Number.MAX_SAFE_INTEGER],
  overdraftPercent: [0, 1_000],
} as const satisfies Record<string, readonly [min: number, max: number]>

export type PlanLimit = keyof typeof planLimits

/** A price plan as configured. Absent or null: no limit. */
export type Plan = { name: string } & { [Name in PlanLimit]?: number | null } & {
  /** Of one identity. */
  perIdentity?: Pick<RateLimits, 'perIdentity'>['perIdentity']
}

/** The limits of a price plan; null: no limit. */
export type PlanLimits = Readonly<Record<PlanLimit, number | null>>

/** The maximum bytes of an item's data: that of the service, or less by the account's price plan. */
export function maxItemBytes(ofService: number, limits: Pick<PlanLimits, 'maxItemSize'> | null): number {
  return Math.min(ofService, limits?.maxItemSize ?? ofService)
}

/** The limits of a plan. A plan that was removed from the configuration limits nothing. */
export function limitsOfPlan(plan: Readonly<Plan> | undefined): PlanLimits {
  const limits = planLimitNames.map((name) => [name, plan?.[name] ?? null])
  return Object.fromEntries(limits) as PlanLimits
}

/** The limits of an account's plan, by plan id; null: no limits, so that callers need only one check. */
export type LimitsOfAccounts = {
  /** The limits on numbers. The number of webhooks has a separate rule. */
  limitsOf(plan: string): PlanLimits | null
  /** The limits on requests. */
  ratesOf(plan: string): RateLimits | null
}

export function createAccountLimits(plans: Readonly<Record<string, Readonly<Plan>>>): LimitsOfAccounts {
  const byId = new Map(
    Object.entries(plans).map(([id, plan]) => [id, { limits: limitsIn(plan), rates: ratesIn(plan) }]),
  )
  return { limitsOf: (plan) => byId.get(plan)?.limits ?? null, ratesOf: (plan) => byId.get(plan)?.rates ?? null }
}

function limitsIn(plan: Readonly<Plan>): PlanLimits | null {
  const limits = limitsOfPlan(plan)
  const counted = planLimitNames.filter((name) => name !== 'maxWebhooks' && !rateNames.some((rate) => rate === name))
  return counted.some((name) => limits[name] !== null) ? limits : null
}

function ratesIn(plan: Readonly<Plan>): RateLimits | null {
  const { rateLimit, maxRequestsPerMinute, maxRequestsPerMonth, overdraftPercent } = limitsOfPlan(plan)
  const { perIdentity = null } = plan
  const limits = [rateLimit, maxRequestsPerMinute, maxRequestsPerMonth, perIdentity]
  if (limits.every((limit) => limit === null)) return null
  return { rateLimit, maxRequestsPerMinute, maxRequestsPerMonth, overdraftPercent, perIdentity }
}

const planLimitNames = Object.keys(planLimits) as PlanLimit[]
const rateNames = ['rateLimit', 'maxRequestsPerMinute', 'maxRequestsPerMonth', 'overdraftPercent'] as const
