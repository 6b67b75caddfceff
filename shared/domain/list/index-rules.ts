import type { ErrorName } from '../../errors.ts'
import type { ListIndex } from './index-fields.ts'

/** The properties that the rules for the indexes of one list check. */
export type IndexTraits = Pick<
  ListIndex,
  'pathName' | 'pointer' | 'alias' | 'sorting' | 'filtering' | 'searching' | 'guard'
>

/** `path`: the field of the index that violates the rule. */
export type Violation = {
  name: Extract<ErrorName, 'VALIDATION_FAILED' | 'INDEX_ALIAS_EXISTS'>
  path: string
  message: string
}

/**
 * The rules that the indexes of a list violate, by path name: a guard index has no other use and its pointer overlaps with no
 * other, and a list has one alias index (contract 2.2 and 2.3).
 */
export function violations(indexes: readonly IndexTraits[]): Map<string, Violation[]> {
  const overlaps = guardOverlaps(indexes)
  const aliases = indexes.filter(({ alias }) => alias)
  return new Map(
    indexes.map((index) => {
      const otherAlias = index.alias ? aliases.find((alias) => alias !== index) : undefined
      return [index.pathName, violationsOf(index, { overlap: overlaps.get(index), otherAlias })]
    }),
  )
}

/**
 * Elements of arrays cannot be aliases, because an item has only one alias. A rebuild shows whether there are still arrays.
 * @returns the rule that a change of an index violates; null: none
 */
export function aliasViolation(before: ChangedTraits, after: Omit<ChangedTraits, 'arrays'>): Violation | null {
  const isBuiltAnew = before.pointer !== after.pointer || before.valueType !== after.valueType
  if (!after.alias || before.alias || !before.arrays || isBuiltAnew) return null
  const message = 'An index on arrays cannot be an alias. If its items no longer have arrays, rebuild it first.'
  return { name: 'VALIDATION_FAILED', path: 'alias', message }
}

type ChangedTraits = Pick<ListIndex, 'pointer' | 'valueType' | 'alias' | 'arrays'>

type Others = { overlap: IndexTraits | undefined; otherAlias: IndexTraits | undefined }

function violationsOf(index: IndexTraits, { overlap, otherAlias }: Others): Violation[] {
  const found: Violation[] = []
  const revealing = revealingFlags.filter((flag) => index[flag])
  if (index.guard && revealing.length > 0) {
    const message = `A guard index cannot have ${revealing.join(', ')} too.`
    found.push({ name: 'VALIDATION_FAILED', path: 'guard', message })
  }
  if (overlap) {
    const message = `Its pointer overlaps with that of the index ${overlap.pathName}, and one of the two is a guard index.`
    found.push({ name: 'VALIDATION_FAILED', path: 'pointer', message })
  }
  if (otherAlias) {
    const message = `A list has one alias index, and the index ${otherAlias.pathName} is an alias too.`
    found.push({ name: 'INDEX_ALIAS_EXISTS', path: 'alias', message })
  }
  return found
}

/** Flags that would reveal a guarded value. */
const revealingFlags = ['alias', 'sorting', 'filtering', 'searching'] as const

/**
 * Maps each index that overlaps with another to one such other index, if at least one of the two is a guard. Two indexes overlap if
 * their pointers are equal, or one encloses the other. Takes one pass over sorted pointers, because a client's document may have
 * thousands of long ones: `open` has those that enclose the current one. Once an open index is marked, all that enclose it are marked
 * too, so marking can stop there.
 */
function guardOverlaps(indexes: readonly IndexTraits[]): Map<IndexTraits, IndexTraits> {
  const overlaps = new Map<IndexTraits, IndexTraits>()
  const open: IndexTraits[] = []
  const openGuards: IndexTraits[] = []
  for (const index of inDocumentOrder(indexes)) {
    for (let last = open.at(-1); last && !encloses(last, index); last = open.at(-1)) {
      open.pop()
      if (last.guard) openGuards.pop()
    }
    const above = index.guard ? open.at(-1) : openGuards.at(-1)
    if (above) overlaps.set(index, above)
    markUnmarked(index.guard ? open : openGuards, index, overlaps)
    open.push(index)
    if (index.guard) openGuards.push(index)
  }
  return overlaps
}

function markUnmarked(open: readonly IndexTraits[], by: IndexTraits, overlaps: Map<IndexTraits, IndexTraits>): void {
  for (let n = open.length - 1; n >= 0; n--) {
    const other = open[n]
    if (!other || overlaps.has(other)) return
    overlaps.set(other, by)
  }
}

/** The pointers that one encloses follow it directly. RFC 6901 escapes are unique, so pointers compare as text. */
function inDocumentOrder(indexes: readonly IndexTraits[]): IndexTraits[] {
  const keyed = indexes.map((index) => ({ index, key: index.pointer.replaceAll('/', '\u0000') }))
  return keyed
    .sort((left, right) => Number(left.key > right.key) - Number(left.key < right.key))
    .map(({ index }) => index)
}

function encloses(outer: IndexTraits, inner: IndexTraits): boolean {
  return inner.pointer === outer.pointer || inner.pointer.startsWith(`${outer.pointer}/`)
}
