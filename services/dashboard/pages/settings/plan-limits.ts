import type { Plan, Usage } from '#client/src/types/resources.ts'
import type { withoutEffect } from '#shared/domain/without-effect.ts'

type Limit = Exclude<keyof Plan, 'id' | 'name' | (typeof withoutEffect.plan)[number]>
type Unit = 'number' | 'bytes' | 'percent'

/** The subject and unit of each limit. Limits without an effect yet are left out. */
const words: { readonly [Name in Limit]: readonly [about: string, unit: Unit] } = {
  maxWebhooks: ['webhooks', 'number'],
  maxFlows: ['flows', 'number'],
  maxLists: ['lists', 'number'],
  maxItemsPerList: ['items of a list', 'number'],
  maxIndexesPerList: ['indexes of a list', 'number'],
  maxItemSize: ['data of an item', 'bytes'],
  maxItemVersions: ['versions of an item', 'number'],
  maxTokens: ['API tokens', 'number'],
  maxIdentities: ['identities', 'number'],
  maxStorageBytes: ['data of all items', 'bytes'],
  maxRequestsPerMinute: ['requests a minute', 'number'],
  maxRequestsPerMonth: ['requests a month', 'number'],
  maxRealtimeConnections: ['live streams', 'number'],
  overdraftPercent: ['requests beyond', 'percent'],
  rateLimit: ['ms between requests', 'number'],
}

/** If these are null, nothing is unlimited. */
const quiet: readonly Limit[] = ['overdraftPercent', 'rateLimit']

/** The usage field of each limit for which the server counts the usage. */
const usedBy: { readonly [Name in Limit]?: keyof Usage } = {
  maxStorageBytes: 'storageBytes',
  maxRequestsPerMonth: 'requestCount',
}

/** `used` null: the server does not report it; `max` null: there is no limit. At least one of them is a number. */
export type PlanLimit = { about: string; unit: Unit; used: number | null; max: number | null }

/** The limits of a plan with the usage, and the subjects that it does not limit. */
export function limitsOf(plan: Plan, usage: Usage): { limits: PlanLimit[]; unlimited: string[] } {
  const limits: PlanLimit[] = []
  const unlimited: string[] = []
  for (const name of Object.keys(words) as Limit[]) {
    const [about, unit] = words[name]
    const field = usedBy[name]
    const used = field ? (usage[field] as number | null) : null
    const max = plan[name]
    if (max !== null || used !== null) limits.push({ about, unit, used, max })
    else if (!quiet.includes(name)) unlimited.push(about)
  }
  return { limits, unlimited }
}
