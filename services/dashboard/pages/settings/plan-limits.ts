import type { Plan } from '../../../../client/src/resources.ts'
import type { withoutEffect } from '../../../../shared/domain/without-effect.ts'

type Limit = Exclude<keyof Plan, 'id' | 'name' | (typeof withoutEffect.plan)[number]>
type Unit = 'number' | 'bytes' | 'percent'

/** What each limit is about, and what its number is. What has no effect yet is left out. */
const words: { readonly [Name in Limit]: readonly [about: string, unit: Unit] } = {
  maxWebhooks: ['webhooks', 'number'],
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
  overdraftPercent: ['requests beyond', 'percent'],
  rateLimit: ['ms between requests', 'number'],
}

/** Nothing is without limit where these are null. */
const quiet: readonly Limit[] = ['overdraftPercent', 'rateLimit']

export type PlanLimit = { about: string; unit: Unit; max: number }

/** The limits that a plan has, and what it does not limit. */
export function limitsOf(plan: Plan): { limits: PlanLimit[]; unlimited: string[] } {
  const limits: PlanLimit[] = []
  const unlimited: string[] = []
  for (const name of Object.keys(words) as Limit[]) {
    const [about, unit] = words[name]
    const max = plan[name]
    if (max !== null) limits.push({ about, unit, max })
    else if (!quiet.includes(name)) unlimited.push(about)
  }
  return { limits, unlimited }
}
