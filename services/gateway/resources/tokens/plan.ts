import type { Config } from '#shared/config/load.ts'
import { keptItemVersions } from '#shared/domain/limits.ts'

/** A price plan on the wire: null is unlimited. A plan that was removed from the configuration limits nothing. */
export function toPlanJson({ plans, items }: Pick<Config, 'plans' | 'items'>, id: string) {
  const { name = id, maxWebhooks = null } = plans[id] ?? {}
  return {
    id,
    name,
    rateLimit: null,
    maxRequestsPerMinute: null,
    maxRequestsPerMonth: null,
    overdraftPercent: null,
    maxStorageBytes: null,
    maxLists: null,
    maxItemsPerList: null,
    maxIndexesPerList: null,
    maxItemSize: items.maxBytes,
    maxItemVersions: keptItemVersions,
    maxTokens: null,
    maxIdentities: null,
    maxWebhooks,
    maxRealtimeConnections: null,
    generativeAPI: null,
  }
}
