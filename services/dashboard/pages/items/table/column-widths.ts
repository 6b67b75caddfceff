import { useState } from 'preact/hooks'

/** Widths that the user has set, in rem, by column name. */
export type Widths = Readonly<Record<string, number>>

/** The widths by list; the list that was changed last is at the end. */
export type KeptWidths = readonly (readonly [listId: string, widths: Widths])[]

/** Rem. */
export const widthBounds = { least: 3, most: 60 } as const
/** Most entries that a browser keeps. */
const most = { lists: 50, columns: 100 }

/** Sets the width of a column, within bounds; `rem` null: fit to its texts. Drops the entries changed longest ago beyond the limits. */
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

/** Reads the widths that a browser has kept, and ignores invalid entries. */
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

/** The widths that the user has set for the columns of a list, kept in the browser. `change` with null: fit to its texts. */
export function useWidths(listId: string): { widths: Widths; change: (column: string, rem: number | null) => void } {
  const [kept, setKept] = useState(readKept)
  return {
    widths: widthsIn(kept, listId),
    change(column, rem) {
      // Another tab may have changed them meanwhile.
      const changed = withWidth(readKept() ?? kept, { listId, column, rem })
      setKept(changed)
      try {
        localStorage.setItem(key, JSON.stringify(changed))
      } catch {
        // Without storage, the widths last until the page is left.
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
