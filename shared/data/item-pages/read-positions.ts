import { maxCounted, shortTextBytes } from '#shared/domain/limits.ts'
import type { AppError } from '#shared/errors.ts'
import { toNumber } from '../columns.ts'
import { Conflict } from '../conflict.ts'
import type { Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { itemColumnsWithoutData, owner } from '../items/items.ts'
import { type ListState, listStateColumns, listStateFromRow } from '../lists/lists.ts'
import { filteredTotal, type PagePart } from '../pages/keyset.ts'
import type { Total } from '../pages/page.ts'
import { questionTooBroad } from '../pages/question-too-broad.ts'
import { packedColumns } from '../sql/packed-columns.ts'
import { raw, sql } from '../sql/sql.ts'
import { countRows } from './access-path.ts'
import type { ItemSet } from './item-set.ts'
import { type InSources, type Positions, positionOf, type Sorted, type SortedItems } from './positions.ts'
import type { RowOrder, Source } from './row-ranges.ts'
import { amongFirst, type Reader, type Walked, walkFrom, walkToPage } from './walk.ts'

export type ReadOptions = {
  accountId: string
  set: ItemSet
  /** Whether the items are counted for a page by number. */
  filtered: boolean
  withData: boolean
  order: RowOrder
  positions: Positions
  part: PagePart
  /** How many rows that no index serves may be examined. */
  maxExamined: number
  unserved?: Unserved | undefined
}

/** The parameter of a request that no index serves, and a sentence about a question that an index would serve. */
export type Unserved = { parameter: string; advice: string }

type RowsAt = { list: ListState; rows: Row[] }

type Read = RowsAt & Walked & { total: Total | null }

/** The items at the positions of a part, in any order, and the total of those that pass filters. */
export async function readPositions(db: Queries, options: ReadOptions, isNumbered: boolean): Promise<Read> {
  const { part, positions, order, maxExamined } = options
  const whole = { examinedTo: null, examined: 0 }
  if ('sorted' in positions) return { ...(await readSorted(db, { ...options, positions }, isNumbered)), ...whole }
  const lists: ListState[] = []
  const reader = {
    db,
    maxExamined,
    position: positionOf(order),
    async read(select: Sql) {
      const { list, rows } = await rowsAt(db, options, select)
      lists.push(list)
      return rows
    },
  }
  const found = isNumbered
    ? { ...whole, ...(await readNumbered(reader, positions, options)) }
    : { ...(await walkFrom(reader, positions.sources, part)), total: null }
  const list = lists.at(-1)
  if (!list) throw new Error('The walk read nothing.')
  return { ...found, list }
}

async function readSorted(
  db: Queries,
  options: ReadOptions & { positions: SortedItems },
  isNumbered: boolean,
): Promise<RowsAt & { total: Total | null }> {
  const { part, filtered, positions } = options
  const counted = isNumbered && filtered
  const { frequent } = positions
  const first = frequent && amongFirst(frequent.sources, part)
  const early = first && (await rowsAt(db, options, first))
  if (frequent && early?.rows.length === part.limit)
    return { ...early, total: counted ? filteredTotal(await frequent.count()) : null }
  const sorted = await rowsAt(db, { ...options, counted }, positions.sorted(part, { counted }))
  return { ...sorted, total: counted ? filteredTotal(await sortedTotal(db, positions, sorted.rows)) : null }
}

/** @throws QUESTION_TOO_BROAD */
async function readNumbered(
  reader: Reader,
  { sources, count }: InSources,
  options: ReadOptions,
): Promise<{ rows: Row[]; total: Total | null }> {
  const { part, filtered } = options
  const found = filtered && count ? await count() : null
  const counted = filtered && found === null
  const { rows, total, isTooBroad } = await walkToPage(reader, sources, { part, counted })
  if (isTooBroad) throw tooBroad(options, sources)
  return { rows, total: filtered && found !== null ? filteredTotal(found) : total }
}

function tooBroad(
  { maxExamined: examined, unserved = { parameter: 'page', advice: '' } }: ReadOptions,
  sources: readonly Source[],
): AppError {
  const { parameter, advice } = unserved
  const next = 'which continues where the previous call ended.'
  const hasArrays = sources.some(({ looksThrough = [] }) => looksThrough.length > 0)
  const rows = hasArrays ? 'items and elements of their arrays' : 'items'
  return questionTooBroad({ parameter, examined, rows, advice: advice ? `${next} ${advice}` : next })
}

/** Each row of a sorted part has the total. A part after the end has no rows, so the items are counted. */
async function sortedTotal(db: Queries, { sorted }: { sorted: Sorted }, [row]: readonly Row[]): Promise<number> {
  if (row) return toNumber(row.n)
  const all = { direction: 'asc', from: null, limit: maxCounted + 1, offset: 0 } as const
  return countRows(db, sorted(all, { counted: false }))
}

/**
 * The items, and the state of their list in the same snapshot. The list has a row even if no item is found.
 * @throws Conflict when the list is gone
 */
async function rowsAt(
  db: Queries,
  { accountId, set, withData, counted = false }: ReadOptions & { counted?: boolean },
  positions: Sql,
): Promise<RowsAt> {
  const { select: columns, unpack } = withData ? allButData : withoutData
  const rows = unpack(
    await db.all(sql`select ${columns}${raw(withData ? shortData : '')}${raw(counted ? ', p.n' : '')}
      from lists l left join (${positions}) p on 1 = 1 left join items i on i.id = p.id ${raw(owner)}
      where l.id = ${set.listId} and l.account_id = ${accountId}`),
  )
  if (!rows[0]) throw new Conflict('list')
  return { list: listStateFromRow(rows[0]), rows: rows.filter(({ id }) => id !== null) }
}

const columnsOfRow = { ...itemColumnsWithoutData, ...listStateColumns, k: 'p.k' }
const allButData = packedColumns(columnsOfRow)
const withoutData = packedColumns({ ...columnsOfRow, data: "'null'" })
/** Long data is not read with the rows. */
const shortData = `, case when i.size <= ${shortTextBytes} then i.data else 'null' end as data`
