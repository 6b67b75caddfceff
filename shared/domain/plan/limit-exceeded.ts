import { AppError, type ErrorName } from '../../errors.ts'
import type { PlanLimit } from './plan.ts'

/** The limits on how many there may be of something. */
export type CountLimit = keyof typeof errorNames

const errorNames = {
  maxItemsPerList: 'MAX_ITEMS_EXCEEDED',
  maxLists: 'MAX_LISTS_EXCEEDED',
  maxIndexesPerList: 'MAX_INDEXES_EXCEEDED',
  maxStorageBytes: 'STORAGE_LIMIT_EXCEEDED',
  maxTokens: 'MAX_TOKENS_EXCEEDED',
  maxIdentities: 'MAX_IDENTITIES_EXCEEDED',
  maxFlows: 'MAX_FLOWS_EXCEEDED',
} as const satisfies { [Name in PlanLimit]?: ErrorName }

/** How many there are, how many are added (fewer than none where some go), and how many there may be. */
export type Growth = { count: number; added: number; max: number | null }

/** Whether a change would go beyond a limit. A number that is beyond it already, as after a change of the plan, may stay or shrink. */
export function isBeyond({ count, added, max }: Growth): boolean {
  return max !== null && added > 0 && count + added > max
}

/**
 * Which steps of a change that is applied all or nothing go beyond a limit, by their indexes; none where it is within the limit as a
 * whole.
 * @param steps what each adds
 */
export function stepsBeyond(steps: readonly number[], { count, max }: Pick<Growth, 'count' | 'max'>): number[] {
  const total = steps.reduce((sum, added) => sum + added, 0)
  if (max === null || !isBeyond({ count, added: total, max })) return []
  let reached = count
  return steps.flatMap((added, n) => {
    reached += added
    return added > 0 && reached > max ? [n] : []
  })
}

/** The error of what would go beyond a limit (contract 1.5). */
export function limitExceeded(limit: CountLimit, max: number): AppError {
  return new AppError(errorNames[limit], { details: { limit, max } })
}

/** @throws MAX_…_EXCEEDED */
export function assertWithin(limit: CountLimit, growth: Growth): void {
  if (isBeyond(growth)) throw limitExceeded(limit, growth.max ?? 0)
}
