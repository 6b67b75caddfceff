import type { BuildStatus, ListIndex } from './index-fields.ts'

type Traits = Pick<ListIndex, 'pointer' | 'valueType' | 'alias' | 'searching'>

export const buildReasons = ['created', 'pointerChanged', 'valueTypeChanged', 'flagsChanged'] as const
export type BuildReason = (typeof buildReasons)[number]

/** Why the values of stored items must be recomputed before the index can be used (contract 2.3); null: not needed. */
export function buildReason(before: Traits | null, after: Traits): BuildReason | null {
  if (before === null) return 'created'
  if (before.pointer !== after.pointer) return 'pointerChanged'
  if (before.valueType !== after.valueType) return 'valueTypeChanged'
  const turnedOn = (after.alias && !before.alias) || (after.searching && !before.searching)
  return turnedOn ? 'flagsChanged' : null
}

/** An index before and after a change; null: it does not exist. */
export type IndexChange = { before: ListIndex | null; after: ListIndex | null }

/** @param items the number of items in the list: without items, the index is ready at once */
type BuildOptions = { items: number; newId(): string }

/** The index after a change, to be built if the change needs that. */
export function withBuild(before: ListIndex | null, after: ListIndex, options: BuildOptions): ListIndex {
  if (before === null) return { ...after, buildStatus: statusFor(options) }
  return buildReason(before, after) === null ? after : rebuilt(after, options)
}

/** The index, to be built from the beginning. */
export function rebuilt(index: ListIndex, options: BuildOptions): ListIndex {
  return { ...index, valuesId: options.newId(), arrays: false, buildStatus: statusFor(options) }
}

function statusFor({ items }: BuildOptions): BuildStatus {
  return items > 0 ? 'building' : 'ready'
}

/**
 * Whether a change marks an index as ready although none of its values is computed yet: correct only while the list has no items.
 */
export function isReadyAtOnce({ before, after }: IndexChange): boolean {
  return after?.buildStatus === 'ready' && after.valuesId !== before?.valuesId
}
