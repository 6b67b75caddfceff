import { parsePointer } from '#shared/json/pointer.ts'
import { type Cell, cellOf, cellWidth, letter } from './cell.ts'
import type { Widths } from './column-widths.ts'
import { type Column, leadColumn } from './columns.ts'
import type { Place } from './item-row.tsx'
import { type ItemRow, pointerTree, valueTexts } from './item-rows.ts'

/** The cells of all rows, and the layout of their columns. */
export type Layout = { cells: readonly (readonly (Cell | undefined)[])[]; places: readonly Place[] }

/**
 * Reads the data of each item once. Widths are computed from the texts, not from rendered rows: no column moves while rows are added,
 * and the browser can skip rows that are out of view.
 */
export function layOut(rows: readonly ItemRow[], columns: readonly Column[]): Layout {
  const pointers = columns.flatMap(({ pointer }) => (pointer === undefined ? [] : [pointer]))
  const tree = pointerTree(pointers.map((pointer) => [pointer, parsePointer(pointer) ?? []] as const))
  const cells = rows.map(({ dataText }) => {
    const texts = valueTexts(dataText, tree)
    return columns.map(({ pointer, list }) =>
      pointer === undefined ? undefined : cellOf(texts.get(pointer), list !== undefined),
    )
  })
  return { cells, places: placesOf(rows, columns, cells) }
}

/**
 * The widths of the columns as CSS tracks, starting with the checkbox column. `isWide`: the columns do not fit in a window of 1280 px.
 * @param widths the widths that the user has set
 */
export function tracksOf(places: readonly Place[], widths: Widths): { tracks: string[]; isWide: boolean } {
  const least = fitted(places, widths)
  const hasRoom = sumOf(places.map((place) => widths[place.column.name] ?? place.width)) <= room
  const tracks = places.map((place, n) => {
    const own = widths[place.column.name]
    if (own !== undefined) return `${own}rem`
    // If a window of 1280 px has room for all columns, nothing is cut there, and the name of the item gets the rest.
    if (hasRoom && !place.isLead) return `minmax(${(least[n] ?? 0).toFixed(2)}rem, ${place.width.toFixed(2)}rem)`
    // The name of the item gets the largest share of the room.
    const part = place.isLead ? place.width * 3 : place.width
    return `minmax(${(least[n] ?? 0).toFixed(2)}rem, ${part.toFixed(2)}fr)`
  })
  return { tracks: ['2.625rem', ...tracks], isWide: sumOf(least) > room + 0.1 }
}

/** Most rem of a column, unless the user has set its width. */
const widest = 20
/** In rem: the room of a table in a window of 1280 px, and the least width of a text column. */
const [room, narrowest] = [62.5, 4.5]
/** Rem by which text columns become narrower in each step. */
const step = 0.25

/**
 * The least widths of the columns. Text columns are narrowed until all columns fit in a window of 1280 px. The widest are narrowed first, so
 * that no short text is cut because of a long one.
 */
function fitted(places: readonly Place[], widths: Widths): number[] {
  const least = places.map((place) => widths[place.column.name] ?? leastWidth(place))
  const gives = places.map((place) => !place.isWhole && widths[place.column.name] === undefined)
  const cutTo = (most: number) =>
    least.map((width, n) => (gives[n] ? Math.min(width, Math.max(most, narrowest)) : width))
  // Each step narrows the columns that are the widest at that time.
  let most = widest
  while (most > narrowest && sumOf(cutTo(most)) > room) most -= step
  return cutTo(most)
}

const sumOf = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0)

/** Long texts may be cut when there is too little room. Numbers and dates are not: a number without its end would be a different number. */
function leastWidth({ isLead, isWhole, width }: Place): number {
  return isWhole ? width : Math.min(width, Math.max(isLead ? 12 : 7, width / 2))
}

function placesOf(rows: readonly ItemRow[], columns: readonly Column[], cells: Layout['cells']): Place[] {
  const numeric = columns.map(({ name }, at) => name === 'size' || isEach(['number'], cells, at))
  const whole = numeric.map((is, at) => is || isEach(['number', 'date', 'flag'], cells, at))
  const lead = leadColumn(columns)
  const figure = numeric.findIndex((is, at) => is && columns[at] !== lead)
  return columns.map((column, at) => {
    const isLead = column === lead
    const fits = whole[at] || /^(version|createdAt|updatedAt)$/.test(column.name)
    const inCard = cardClass(column, { isLead, isFigure: at === figure })
    const classes = [inCard, toneClass(column, isLead), numeric[at] && 'num', fits && 'fits']
    const widths = rows.map((row, n) => cellWidth(cells[n]?.[at]) ?? fieldWidth(row, column.name))
    const wanted =
      Math.max(column.label.length * letter + (column.guarded ? 1.5 : 0.75), ...widths) +
      (isLead ? 3.5 : at === columns.length - 1 ? 2 : 1.5)
    return {
      column,
      isLead,
      isNumeric: numeric[at] ?? false,
      isWhole: whole[at] ?? false,
      classes: classes.filter(Boolean).join(' '),
      width: Math.min(widest, wanted),
    }
  })
}

/** Whether a column has values of these kinds only, and at least one. */
function isEach(kinds: readonly Cell['kind'][], cells: Layout['cells'], at: number): boolean {
  const all = cells.map((row) => row[at]?.kind ?? 'text')
  return (
    all.some((kind) => kinds.includes(kind)) &&
    all.every((kind) => kinds.includes(kind) || kind === 'null' || kind === 'missing')
  )
}

/** The position of a column in the card of an item on a phone. */
function cardClass({ alias, name }: Column, { isLead, isFigure }: { isLead: boolean; isFigure: boolean }): string {
  if (isLead) return 'lead'
  if (alias) return 'under'
  if (isFigure) return 'aside'
  return name === 'updatedAt' ? 'when' : 'optional'
}

function toneClass({ alias, name, pointer }: Column, isLead: boolean): string {
  if (isLead) return ''
  if (alias || name === 'id' || name === 'version') return 'mono muted'
  return pointer === undefined ? 'muted' : ''
}

/** The width of a field of the item itself, in rem. */
function fieldWidth({ tags, description, identity }: ItemRow, name: string): number {
  if (name === 'tags') return tags.reduce((sum, tag) => sum + tag.length * letter + 1.125, 0)
  if (name === 'description') return description.length * letter
  if (name === 'identity') return (identity?.displayName.length ?? 1) * letter
  return { id: 17, version: 2.75, size: 4.5 }[name] ?? 4.75
}
