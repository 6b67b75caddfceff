import { useEffect, useMemo, useState } from 'preact/hooks'
import { parsePointer } from '#shared/json/pointer.ts'
import type { ItemsScope } from '../view/items-scope.ts'
import { type Cell, cellOf, cellWidth, letter } from './cell.ts'
import { type Column, leadColumn } from './columns.ts'
import { type Place, Rows } from './item-row.tsx'
import { type ItemRow, pointerTree, valueTexts } from './item-rows.ts'
import { TableHead } from './table-head.tsx'

type ItemTableProps = {
  scope: ItemsScope
  rows: readonly ItemRow[]
  columns: readonly Column[]
  picked: ReadonlySet<string>
  onPick: (ids: ReadonlySet<string>) => void
}

/** Rows that are painted first: those below the window follow with the next frame. */
const mostFirst = 30

/** Items as rows, each a link, with the values of their data as they were written. */
export function ItemTable({ scope, rows, columns, picked, onPick }: ItemTableProps) {
  const key = columns.map(({ name }) => name).join('\n')
  const layout = useMemo(() => layOut(rows, columns), [rows, key])
  const [later, setLater] = useState<{ rows: readonly ItemRow[]; layout: Layout } | null>(null)
  useEffect(() => setLater({ rows, layout }), [rows, layout])
  const toggle = (id: string) => {
    const changed = new Set(picked)
    if (!changed.delete(id)) changed.add(id)
    onPick(changed)
  }
  const body = useMemo(
    () => (
      <tbody>
        <Rows list={scope.name} rows={rows} from={0} to={mostFirst} {...layout} picked={picked} onToggle={toggle} />
        {later && (
          <Rows
            list={scope.name}
            {...later}
            from={mostFirst}
            to={later.rows.length}
            {...later.layout}
            picked={picked}
            onToggle={toggle}
          />
        )}
      </tbody>
    ),
    [rows, layout, later, picked],
  )
  const isAll = rows.every(({ id }) => picked.has(id))
  return (
    <div class="scroll">
      <table class="table cards items" style={layout.style}>
        <TableHead
          scope={scope}
          places={layout.places}
          picked={isAll ? 'all' : picked.size > 0 ? 'some' : 'none'}
          onPickAll={() => onPick(new Set(isAll ? [] : rows.map(({ id }) => id)))}
        />
        {body}
      </table>
    </div>
  )
}

/** The cells of all rows, what becomes of their columns, and how wide these are. */
type Layout = { cells: readonly (readonly (Cell | undefined)[])[]; places: readonly Place[]; style: TableStyle }
type TableStyle = { '--columns': string }

/**
 * Reads the data of each item once. Widths follow from the texts, not from the rows that are laid out: no column moves while
 * rows are added, and the browser skips rows that are out of sight.
 */
function layOut(rows: readonly ItemRow[], columns: readonly Column[]): Layout {
  const pointers = columns.flatMap(({ pointer }) => (pointer === undefined ? [] : [pointer]))
  const tree = pointerTree(pointers.map((pointer) => [pointer, parsePointer(pointer) ?? []] as const))
  const cells = rows.map(({ dataText }) => {
    const texts = valueTexts(dataText, tree)
    return columns.map(({ pointer }) => (pointer === undefined ? undefined : cellOf(texts.get(pointer))))
  })
  const places = placesOf(rows, columns, cells)
  const tracks = places.map((place) => {
    // What room there is goes to the name of the item first.
    const part = place.isLead ? place.width * 3 : place.width
    return `minmax(${leastWidth(place).toFixed(2)}rem, ${part.toFixed(2)}fr)`
  })
  return { cells, places, style: { '--columns': `2.625rem ${tracks.join(' ')}` } }
}

/** Rem. */
const widest = 20
/** Where there is no room for all, long texts are cut. A number is not: without its end it would be another one. */
function leastWidth({ isLead, isNumeric, width }: Place): number {
  return isNumeric ? width : Math.min(width, Math.max(isLead ? 12 : 7, width / 2))
}

function placesOf(rows: readonly ItemRow[], columns: readonly Column[], cells: Layout['cells']): Place[] {
  const numeric = columns.map(({ name }, at) => name === 'size' || isNumeric(cells.map((row) => row[at])))
  const lead = leadColumn(columns)
  const figure = numeric.findIndex((is, at) => is && columns[at] !== lead)
  return columns.map((column, at) => {
    const isLead = column === lead
    const fits = numeric[at] || /^(version|createdAt|updatedAt)$/.test(column.name)
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
      classes: classes.filter(Boolean).join(' '),
      width: Math.min(widest, wanted),
    }
  })
}

function isNumeric(cells: readonly (Cell | undefined)[]): boolean {
  return (
    cells.some((cell) => cell?.kind === 'number') &&
    cells.every((cell) => cell !== undefined && /^(number|null|missing)$/.test(cell.kind))
  )
}

/** Where a column stands in the card of an item on a phone. */
function cardClass({ alias, name }: Column, { isLead, isFigure }: { isLead: boolean; isFigure: boolean }): string {
  if (isLead) return 'lead'
  if (alias) return 'under'
  if (isFigure) return 'beside'
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
