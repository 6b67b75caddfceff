import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useResource } from '#services/dashboard/api/resource.ts'
import type { ItemsScope } from '../view/items-scope.ts'
import { useWidths } from './column-widths.ts'
import type { Column } from './columns.ts'
import { Rows } from './item-row.tsx'
import type { ItemRow } from './item-rows.ts'
import { type Layout, layOut, tracksOf } from './layout.ts'
import { TableHead } from './table-head.tsx'

type ItemTableProps = {
  scope: ItemsScope
  rows: readonly ItemRow[]
  columns: readonly Column[]
  picked: ReadonlySet<string>
  onPick: (ids: ReadonlySet<string>) => void
  /** Called with an item that was stored or read again. */
  onWritten: (row: ItemRow) => void
}

/** Rows that are rendered first. The others, below the window, follow in the next frame. */
const mostFirst = 30

/** Items as rows with the values of their data. The value that names the item is a link. */
export function ItemTable({ scope, rows, columns, picked, onPick, onWritten }: ItemTableProps) {
  const key = columns.map(({ name, list = '' }) => `${name} ${list}`).join('\n')
  const layout = useMemo(() => layOut(rows, columns), [rows, key])
  const widths = useWidths(scope.list.id)
  const { tracks, isWide } = tracksOf(layout.places, widths.widths)
  const table = useRef<HTMLTableElement>(null)
  const changeBy = (column: number, rem: number) => {
    const head = table.current?.tHead?.rows[0]?.cells[column + 1]
    const { name } = columns[column] ?? {}
    if (head && name !== undefined) widths.change(name, toRem(head.offsetWidth) + rem)
  }
  const body = useBody({ scope, rows, layout, picked, onPick })
  const Cells = useResource('script of cells', loadCells).data
  const isAll = rows.every(({ id }) => picked.has(id))
  return (
    <>
      <div class="scroll">
        <table
          ref={table}
          class={isWide ? 'table cards items wide' : 'table cards items'}
          style={{ '--columns': tracks.join(' ') }}
        >
          <TableHead
            scope={scope}
            places={layout.places}
            tracks={tracks}
            picked={isAll ? 'all' : picked.size > 0 ? 'some' : 'none'}
            onPickAll={() => onPick(new Set(isAll ? [] : rows.map(({ id }) => id)))}
            onWidth={widths.change}
          />
          {body}
        </table>
      </div>
      {Cells && table.current && (
        <Cells
          table={table.current}
          list={scope.name}
          rows={rows}
          columns={columns}
          cells={layout.cells}
          onWritten={onWritten}
          onWidth={(column, isWider) => changeBy(column, isWider ? 1 : -1)}
        />
      )}
    </>
  )
}

/** The script of the cells is loaded after the table is rendered. */
const loadCells = async () => (await import('./cells/cells.tsx')).Cells

/** Converts px to rem. */
export const toRem = (px: number) => px / Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

type BodyProps = Pick<ItemTableProps, 'scope' | 'rows' | 'picked' | 'onPick'> & { layout: Layout }

/** The rows, which are rendered again only when their content changes. */
function useBody({ scope, rows, layout, picked, onPick }: BodyProps) {
  const [later, setLater] = useState<{ rows: readonly ItemRow[]; layout: Layout } | null>(null)
  useEffect(() => setLater({ rows, layout }), [rows, layout])
  const toggle = ({ target }: Event) => {
    const row = target instanceof HTMLElement && target.closest('tr')
    const id = row && rows[row.rowIndex - 1]?.id
    if (!id) return
    const changed = new Set(picked)
    if (!changed.delete(id)) changed.add(id)
    onPick(changed)
  }
  return useMemo(
    () => (
      <>
        <tbody onChange={toggle}>
          <Rows list={scope.name} rows={rows} from={0} to={mostFirst} {...layout} picked={picked} />
        </tbody>
        {later &&
          partsOf(later.rows.length).map(({ from, to }) => (
            <tbody key={from} class="later" style={{ '--rows': to - from }} onChange={toggle}>
              <Rows list={scope.name} {...later} from={from} to={to} {...later.layout} picked={picked} />
            </tbody>
          ))}
      </>
    ),
    [rows, layout, later, picked],
  )
}

/** The rows after the first ones, in parts that the browser skips while they are out of view. */
function partsOf(count: number): { from: number; to: number }[] {
  const parts = Math.max(0, Math.ceil((count - mostFirst) / mostFirst))
  return Array.from({ length: parts }, (_, n) => ({
    from: mostFirst * (n + 1),
    to: Math.min(count, mostFirst * (n + 2)),
  }))
}
