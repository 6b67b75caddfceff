import { useState } from 'preact/hooks'

/** Widths that a viewer has given to columns, in rem by their names. */
export type Widths = Readonly<Record<string, number>>

/** Those of lists, the one that was changed last at the end. */
export type KeptWidths = readonly (readonly [listId: string, widths: Widths])[]

/** Rem. */
export const widthBounds = { least: 3, most: 60 } as const
/** What a browser keeps at most. */
const most = { lists: 50, columns: 100 }

/** Widths with that of a column changed, within bounds; null: it is as wide as its texts again. What was changed longest ago gives way. */
export function withWidth(
  kept: KeptWidths,
  { listId, column, rem }: { listId: string; column: string; rem: number | null },
): KeptWidths {
  const { [column]: _, ...others } = widthsIn(kept, listId)
  const all = Object.entries(others)
  if (rem !== null) all.push([column, Math.min(widthBounds.most, Math.max(widthBounds.least, rem))])
  const lists = kept.filter(([id]) => id !== listId)
  if (all.length === 0) return lists
  return [...lists, [listId, Object.fromEntries(all.slice(-most.columns))] as const].slice(-most.lists)
}

/** The widths of the columns of a list. */
export function widthsIn(kept: KeptWidths, listId: string): Widths {
  return kept.find(([id]) => id === listId)?.[1] ?? {}
}

/** Reads what a browser has kept, which may be anything: what is understood. */
export function readWidths(text: string | null): KeptWidths {
  try {
    const read: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(read) ? read.filter(isEntry).slice(-most.lists) : []
  } catch {
    return []
  }
}

function isEntry(value: unknown): value is [string, Widths] {
  if (!Array.isArray(value) || typeof value[0] !== 'string' || typeof value[1] !== 'object' || !value[1]) return false
  const { least, most: widest } = widthBounds
  return Object.values(value[1]).every((rem) => typeof rem === 'number' && rem >= least && rem <= widest)
}

const key = 'listd.column-widths'

/** The widths that this viewer has given to columns of a list, kept by the browser. `change` with null: as wide as its texts. */
export function useWidths(listId: string): { widths: Widths; change: (column: string, rem: number | null) => void } {
  const [kept, setKept] = useState(readKept)
  return {
    widths: widthsIn(kept, listId),
    change(column, rem) {
      // Another tab may have kept some meanwhile.
      const changed = withWidth(readKept() ?? kept, { listId, column, rem })
      setKept(changed)
      try {
        localStorage.setItem(key, JSON.stringify(changed))
      } catch {
        // A browser that keeps nothing has them until the page is left.
      }
    },
  }
}

function readKept(): KeptWidths {
  try {
    return readWidths(localStorage.getItem(key))
  } catch {
    return []
  }
}
