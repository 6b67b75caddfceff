import { Conflict } from '#shared/data/conflict.ts'
import type { IndexValue } from '#shared/domain/item/index-value.ts'

/** The result of a commit: `committed`, the subject of its conflict, or the name of the error. */
export function outcomeOf(commit: Promise<void>): Promise<string> {
  return commit.then(
    () => 'committed',
    (error: Error) => (error instanceof Conflict ? `conflict on ${error.on}` : error.name),
  )
}

/** The value of an alias in its index, the same index for all. */
export function alias(text: string): IndexValue {
  return { indexId: 'index-1', orderKey: text, filterKey: text, aliasText: text }
}
