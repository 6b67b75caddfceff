import type { ListIndex } from './index-fields.ts'

type Traits = Pick<ListIndex, 'pointer' | 'valueType' | 'alias' | 'searching'>

export type BuildReason = 'created' | 'pointerChanged' | 'valueTypeChanged' | 'flagsChanged'

/** Why the values of stored items must be recomputed before the index can be used (contract 2.3); null: they need not. */
export function buildReason(before: Traits | null, after: Traits): BuildReason | null {
  if (before === null) return 'created'
  if (before.pointer !== after.pointer) return 'pointerChanged'
  if (before.valueType !== after.valueType) return 'valueTypeChanged'
  const turnedOn = (after.alias && !before.alias) || (after.searching && !before.searching)
  return turnedOn ? 'flagsChanged' : null
}
