import type { Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import type { TableShape } from './tables.ts'

/** The most rows and characters of long texts of one batch; a single row may be longer. */
const maxRows = 1_000
const maxLength = 4 * 1024 * 1024

/** All rows of a table in the order of its key, which is the same on every database, in batches of bounded size. */
export async function* batchesOf(db: Queries, table: TableShape): AsyncGenerator<Row[]> {
  const columns = names(table.columns.map(({ name }) => name))
  let rest = sql``
  for (;;) {
    const count = await countOfBatch(db, table, rest)
    if (count === 0) return
    const rows = await db.all(
      sql`select ${columns} from ${raw(table.name)} ${rest} order by ${names(table.key)} limit ${count}`,
    )
    const last = rows.at(-1)
    if (!last) return
    yield rows
    rest = rowsAfter(table.key, last)
  }
}

/** The number of next rows that fit a batch by length; at least one if there is any. */
async function countOfBatch(db: Queries, { name, columns, key }: TableShape, rest: Sql): Promise<number> {
  const long = columns.filter(({ type }) => type === 'text')
  if (long.length === 0) return maxRows
  const length = raw(long.map((column) => `coalesce(length("${column.name}"), 0)`).join(' + '))
  const rows = await db.all<{ size: number }>(
    sql`select ${length} as size from ${raw(name)} ${rest} order by ${names(key)} limit ${maxRows}`,
  )
  let sum = 0
  const end = rows.findIndex(({ size }) => {
    sum += Number(size)
    return sum > maxLength
  })
  return end < 0 ? rows.length : Math.max(1, end)
}

/** The first condition is redundant, but MySQL needs it to use a range of the key. */
function rowsAfter(key: readonly string[], last: Row): Sql {
  const [first = ''] = key
  const values = joinSql(
    key.map((name) => sql`${last[name]}`),
    ', ',
  )
  return sql`where ${names([first])} >= ${last[first]} and (${names(key)}) > (${values})`
}

/** Quoted: MySQL reserves `schema`. */
function names(columns: readonly string[]): Sql {
  return raw(columns.map((name) => `"${name}"`).join(', '))
}
