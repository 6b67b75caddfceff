import { AppError, type ErrorName } from '../../errors.ts'
import type { PlanLimit } from './plan.ts'

/** The limits on the number of things. */
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

/** The current count, the number added (negative if some are removed), and the maximum. */
export type Growth = { count: number; added: number; max: number | null }

/** Whether a change would exceed a limit. A number that already exceeds it, for example after a change of the plan, may stay or shrink. */
export function isBeyond({ count, added, max }: Growth): boolean {
  return max !== null && added > 0 && count + added > max
}

/**
 * The positions of the steps of an all-or-nothing change that exceed a limit; none if the change as a whole stays within it.
 * @param steps the number that each adds
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

/** The error of exceeding a limit (contract 1.5). */
export function limitExceeded(limit: CountLimit, max: number): AppError {
  return new AppError(errorNames[limit], { details: { limit, max } })
}

/** @throws MAX_…_EXCEEDED */
export function assertWithin(limit: CountLimit, growth: Growth): void {
  if (isBeyond(growth)) throw limitExceeded(limit, growth.max ?? 0)
}
