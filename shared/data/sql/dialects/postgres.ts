import { rowsOfServerInsert } from '../../drivers/server-options.ts'
import type { Dialect, Sql } from '../dialect.ts'
import { limitedOrderedUnion } from '../ordered-union.ts'
import { raw, sql } from '../sql.ts'
import { conflictText, deleteAmongText, firstOfAll, updateFromText } from './sqlite.ts'

export const postgresDialect: Dialect = {
  name: 'postgres',
  // Without its type a number is taken for an int4 beside another one, and for text in a `case`.
  value: (value) => ({ text: typeof value === 'number' ? `?::${numberType(value)}` : '?', bindings: [value] }),
  inList: (column, values) => ({
    text: `${column} = any(?::${typeof values[0] === 'number' ? 'int8' : 'text'}[])`,
    // Its text has no U+0000, and it refuses to be asked for any.
    bindings: [values.filter(canBeThere)],
  }),
  // The limit tells how many there are: of a JSON array it expects 100 elements, and rather than find a row for each it
  // reads a whole table of some thousands.
  valuesTable(columns, rows) {
    const selected = Object.entries(columns).map(([name, type], position) => {
      const text = `value ->> ${position}`
      return `${type === 'int' ? `(${text})::int8` : text} as ${name}`
    })
    const text = `(select ${selected.join(', ')} from json_array_elements(?::json) limit ?::int8) as given`
    return { text, bindings: [JSON.stringify(rows), rows.length] }
  },
  jsonArrayContainsAny: (column, values) => ({
    text: `exists (select 1 from json_array_elements_text(${column}::json) as held(value) where held.value = any(?::text[]))`,
    bindings: [values.filter(canBeThere)],
  }),
  rowsOfInsert: rowsOfServerInsert,
  updateFrom: (update) => updateFromText(update)(postgresDialect),
  deleteInList: (table, column, values) => deleteAmongText(table, column, values)(postgresDialect),
  onConflict: (key, set) => conflictText(key, set)(postgresDialect),
  excluded: (column) => ({ text: `excluded.${column}`, bindings: [] }),
  unionAllOrdered: (ranges, part) => limitedOrderedUnion(ranges, part)(postgresDialect),
  limitUnion: (selects, limit) => firstOfAll(selects, limit)(postgresDialect),
  // It sorts all that have null in a column, unless the order names that column too.
  limitBranch: (range, { order, limit }) => cutRange(range, order, limit)(postgresDialect),
  startsWith: (column, text) => ({ text: `starts_with(${column}, ?)`, bindings: [text] }),
  contains: (column, text) => ({ text: `strpos(${column}, ?) > 0`, bindings: [text] }),
  lock: { forUpdate: 'for update', forUpdateSkippingLocked: 'for update skip locked', forShare: 'for share' },
  types: {
    text: (length) => `varchar(${length}) collate "C"`,
    longText: 'text collate "C"',
    int: 'bigint',
    flag: 'smallint',
    double: 'double precision',
    collation: null,
    byPrimaryKey: '',
  },
  transactionalSchema: true,
  isSchemaChangeDone: () => false,
}

function cutRange(range: Sql, order: string, limit: number): Sql {
  return sql`select * from (${range} order by ${raw(order)} limit ${limit}) as first_rows`
}

function numberType(value: number): string {
  return Number.isSafeInteger(value) ? 'int8' : 'float8'
}

/** Text of Postgres holds no U+0000, and takes none either to look for it. */
function canBeThere(value: string | number): boolean {
  return typeof value === 'number' || !value.includes('\u0000')
}
