import { route } from '#client/src/transport.ts'
import { hrefOf } from '#services/dashboard/address/location.ts'
import { Icon } from '#services/dashboard/parts/controls/icon.tsx'
import { Pill } from '#services/dashboard/parts/display/marks.tsx'
import { agoAt, count, presentTime, size } from '#services/dashboard/parts/display/text.tsx'
import { ReferenceLink } from '../../references/reference-link.tsx'
import type { Cell } from './cell.ts'
import type { Column } from './columns.ts'
import type { ItemRow } from './item-rows.ts'

/** A column as laid out: `width` in rem; `isWhole`: its values are never cut; `classes`: also its role in the card of an item. */
export type Place = {
  column: Column
  isLead: boolean
  isNumeric: boolean
  isWhole: boolean
  classes: string
  width: number
}

type RowsProps = {
  list: string
  rows: readonly ItemRow[]
  /** The part of the rows to show. */
  from: number
  to: number
  /** By row and column. */
  cells: readonly (readonly (Cell | undefined)[])[]
  places: readonly Place[]
  picked: ReadonlySet<string>
}

/**
 * Rows of items. Another page reuses the present rows (the key is the position), because that is painted sooner than new ones. A row is not
 * a component, and has none for parts that every row has: hundreds of components would take as long as the rows themselves.
 */
export function Rows({ list, rows, from, to, cells, places, picked }: RowsProps) {
  const present = presentTime()
  return (
    <>
      {rows.slice(from, to).map((row, n) => (
        <tr key={n} class={picked.has(row.id) ? 'on' : undefined}>
          <td class="tick">
            <input
              type="checkbox"
              class="over"
              aria-label={selectText(nameOf(cells[from + n], places, row))}
              checked={picked.has(row.id)}
            />
          </td>
          {places.map(({ column, isLead, classes }, at) => (
            <td key={column.name} class={classes}>
              {isLead
                ? lead({ list, row, column, cell: cells[from + n]?.[at], present })
                : shownValue(row, column, cells[from + n]?.[at], present)}
            </td>
          ))}
        </tr>
      ))}
    </>
  )
}

const selectText = (name: string) => `Select ${name}`

function nameOf(cells: readonly (Cell | undefined)[] | undefined, places: readonly Place[], { id }: ItemRow): string {
  const cell = cells?.[places.findIndex(({ isLead }) => isLead)]
  return cell && 'text' in cell && cell.kind !== 'missing' ? cell.text : id
}

type LeadCell = { list: string; row: ItemRow; column: Column; cell: Cell | undefined; present: number }

/** The content of the cell that links to the item, with marks for readonly, locked and draft. */
function lead({ list, row, column, cell, present }: LeadCell) {
  const isNamed = cell && cell.kind !== 'missing' && !('text' in cell && cell.text.trim() === '')
  return (
    <>
      <a href={hrefOf(route`/lists/${list}/items/${row.id}`)}>
        {/* The row is already a link: a reference in its name is not one. */}
        {isNamed ? (
          shownValue(row, { ...column, list: undefined }, cell, present)
        ) : (
          <span class="mono muted">{row.id}</span>
        )}
      </a>
      {row.readonly && <Mark text="readonly" />}
      {row.locked && <Mark text="locked" />}
      {!row.activated && <Pill tone="warn">draft</Pill>}
    </>
  )
}

/** A lock with a word for its meaning. */
export const Mark = ({ text }: { text: string }) => (
  <span class="mark" title={text}>
    <Icon name="lock" />
    <span class="unseen">{text}</span>
  </span>
)

function shownValue(row: ItemRow, { name, list }: Column, cell: Cell | undefined, present: number) {
  if (!cell) return fieldOf(row, name, present)
  if (cell.kind === 'list') {
    return (
      <>
        {cell.texts.map((text, n) => (
          <Pill key={n}>{list === undefined ? text : <ReferenceLink list={list} name={text} />}</Pill>
        ))}
        {cell.more > 0 && <span class="muted small"> +{cell.more}</span>}
      </>
    )
  }
  if (list !== undefined && cell.kind === 'text') return <ReferenceLink list={list} name={cell.text} />
  if (cell.kind === 'missing' || cell.kind === 'null') return <span class="muted">{cell.text}</span>
  if (cell.kind === 'json') return <Pill title={cell.text}>{cell.words}</Pill>
  if (cell.kind === 'date') return <time title={cell.text}>{cell.words}</time>
  return cell.text
}

/** The value of a field of the item itself. */
function fieldOf(row: ItemRow, name: string, present: number) {
  switch (name) {
    case 'tags':
      return row.tags.length > 0 ? row.tags.map((tag) => <Pill key={tag}>{tag}</Pill>) : '–'
    case 'identity':
      return row.identity?.displayName ?? '–'
    case 'createdAt':
    case 'updatedAt':
      return agoAt(row[name], present)
    case 'size':
      return <span title={`${count(row.size)} bytes`}>{size(row.size)}</span>
    case 'description':
      return row.description || '–'
    default:
      return name === 'version' ? row.version : row.id
  }
}
