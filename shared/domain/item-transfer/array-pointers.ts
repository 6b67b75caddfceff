import { childPointer, parsePointer } from '#shared/json/pointer.ts'
import type { Column } from './columns.ts'
import { createContainers } from './schema-cell-type.ts'

/**
 * The places in the data that are arrays, as pointers. The schema decides; if it allows both or says nothing, positions that begin at 0 are
 * those of an array.
 * @param schema the list's JSON Schema, if there is one
 */
export function arrayPointers(columns: readonly Column[], schema: unknown): string[] {
  const containerAt = createContainers(schema)
  return positionsBelow(columns).flatMap(({ pointer, positions }) => {
    const container = containerAt(pointer) ?? (positions.includes(0) ? 'array' : 'object')
    return container === 'array' && !hasGaps(positions) ? [pointer] : []
  })
}

/**
 * Sentences about columns that look like positions of an array, and are members of an object because nothing says that it is an array.
 * @param arrays from `arrayPointers`
 */
export function unclearPositions(
  columns: readonly Column[],
  { arrays, schema }: { arrays: readonly string[]; schema: unknown },
): string[] {
  const known = new Set(arrays)
  const containerAt = createContainers(schema)
  return positionsBelow(columns).flatMap(({ pointer, positions }) => {
    // The data itself is rarely an array.
    if (pointer === '' || known.has(pointer) || containerAt(pointer) === 'object') return []
    const shown = positions.slice(0, mostShown).map((position) => `${pointer}/${position}`)
    const those = `${shown.join(', ')}${positions.length > mostShown ? ', …' : ''}`
    const why = hasGaps(positions) ? `more than ${mostGaps} positions have no column` : `${pointer}/0 has no column`
    return `${those}: ${pointer} becomes an object with these members, not an array, because ${why}. A schema decides which one it is.`
  })
}

const mostShown = 5

/** Maximum positions without a column in an array. */
const mostGaps = 100

/** Whether an array with columns for these positions would have too many other positions. */
function hasGaps(positions: readonly number[]): boolean {
  const last = positions.reduce((most, position) => Math.max(most, position), 0)
  return last + 1 - positions.length > mostGaps
}

/** The places at which all keys could be positions of an array. */
function positionsBelow(columns: readonly Column[]): { pointer: string; positions: number[] }[] {
  const keys = new Map<string, Set<string>>()
  for (const { pointer } of columns) {
    let outer = ''
    for (const key of parsePointer(pointer ?? '') ?? []) {
      const known = keys.get(outer)
      if (known) known.add(key)
      else keys.set(outer, new Set([key]))
      outer = childPointer(outer, key)
    }
  }
  return [...keys].flatMap(([pointer, below]) =>
    [...below].every((key) => isPosition.test(key)) ? [{ pointer, positions: [...below].map(Number) }] : [],
  )
}

const isPosition = /^(?:0|[1-9]\d{0,8})$/
