import type { BranchPart, Dialect, Sql } from '../../dialect.ts'
import { limitedOrderedUnion, limitToEnd, passingInOrder } from '../ordered-union.ts'
import { raw, sql } from '../sql.ts'
import { insertByColumns } from './postgres-columns.ts'
import { conflictText, deleteText, limitUnionText, nestedText, updateFromText } from './sqlite.ts'

/** The maximum number of rows of one insert, and the minimum for sending them by columns: fewer rows cost more that way. */
const [maxRows, rowsByColumns] = [640, 8]

export const postgresDialect: Dialect = {
  name: 'postgres',
  // Without a type, Postgres treats a number as int4 next to another number, and as text in a `case`.
  mark: (value) => (typeof value === 'number' ? `?::${numberType(value)}` : '?'),
  clock: () => ({ text: '(extract(epoch from clock_timestamp()) * 1000)::int8', bindings: [] }),
  serverVersion: () => ({ text: 'version()', bindings: [] }),
  databaseSizes: () => tableSizes(postgresDialect),
  inList: (column, values) => ({
    text: `${column} = any(?::${typeof values[0] === 'number' ? 'int8' : 'text'}[])`,
    // Postgres rejects U+0000 as a parameter, and no column contains it.
    bindings: [values.filter(isStorable)],
  }),
  // Without statistics, Postgres assumes that the leading columns of an index alone are as selective as with a value. It would
  // compare all rows that have these leading columns with a list of values. `offset 0` makes it join the values one by one.
  rowsWithAny({ from, columns, where, column, values }) {
    const read = raw(columns.join(', '))
    const rows = sql`select ${read} from ${from} where ${where} and ${raw(column)} = input.value offset 0`
    const each = sql`from unnest(${values.filter(isStorable)}::text[]) as input (value)`
    return sql`${each} cross join lateral (${rows}) x where true`(postgresDialect)
  },
  // The limit tells the planner how many rows there are. By default it expects 100 elements in a JSON array, and then it
  // scans a table of some thousand rows instead of looking each row up.
  valuesTable(columns, rows) {
    const selected = Object.entries(columns).map(([name, type], position) => {
      const text = `value ->> ${position}`
      return `${type === 'int' ? `(${text})::int8` : text} as ${name}`
    })
    const text = `(select ${selected.join(', ')} from json_array_elements(?::json) limit ?::int8) as input`
    return { text, bindings: [JSON.stringify(rows), rows.length] }
  },
  jsonArrayContainsAny: (column, values) => ({
    text: `exists (select 1 from json_array_elements_text(${column}::json) as held(value) where held.value = any(?::text[]))`,
    bindings: [values.filter(isStorable)],
  }),
  jsonArray: (columns) => ({ text: `json_build_array(${columns.join(', ')})`, bindings: [] }),
  nestedRows: (rows) => nestedText(rows, 'json_agg', 'json_build_array'),
  rowsOfInsert: (waiting) => Math.min(waiting, maxRows),
  insertByColumns: (into, values) =>
    values.length < into.columns.length * rowsByColumns ? null : insertByColumns(into, values)(postgresDialect),
  updateFrom: (update) => updateFromText(update)(postgresDialect),
  deleteInList: (rows) => deleteText(rows)(postgresDialect),
  onConflict: (key, set) => conflictText(key, set)(postgresDialect),
  excluded: (column) => ({ text: `excluded.${column}`, bindings: [] }),
  unionAllOrdered: (ranges, part) => limitedOrderedUnion(ranges, part)(postgresDialect),
  passingRows: (rows, passes, part) => passingInOrder(rows, passes, part)(postgresDialect),
  limitUnion: (selects, limit) => limitUnionText(selects, limit)(postgresDialect),
  packsColumns: false,
  throughIndex: (table) => ({ text: table, bindings: [] }),
  // Postgres would sort all rows with null in a column, unless the order names that column too.
  limitBranch: (range, part) => limitRangeText(range, part)(postgresDialect),
  orderBehindNull: (leading, order) => ({ text: `${leading}, ${order}`, bindings: [] }),
  startsWith: (column, text) => ({ text: `starts_with(${column}, ?)`, bindings: [text] }),
  // Not `strpos`, which costs the same: the parts index serves only `like`.
  contains: (column, text) => ({ text: `${column} like ?`, bindings: [`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`] }),
  firstLine: (column) => ({ text: `split_part(${column}, chr(10), 1)`, bindings: [] }),
  indexesParts: true,
  lock: {
    forUpdate: 'for update',
    forUpdateSkippingLocked: 'for update skip locked',
    forShare: 'for share',
    forShareSkippingLocked: 'for share skip locked',
  },
  types: {
    text: (length) => `varchar(${length}) collate "C"`,
    longText: 'text collate "C"',
    int: 'bigint',
    flag: 'smallint',
    double: 'double precision',
    computed: 'stored',
    collation: null,
    byPrimaryKey: '',
  },
  transactionalSchema: true,
  isSchemaChangeDone: () => false,
}

const tableSizes = sql`select c.relname as name, pg_total_relation_size(c.oid) as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = current_schema() and c.relkind = 'r' order by c.relname`

function limitRangeText(range: Sql, part: BranchPart): Sql {
  return sql`select * from (${range} order by ${raw(part.order)} ${limitToEnd(part)}) as first_rows`
}

function numberType(value: number): string {
  return Number.isSafeInteger(value) ? 'int8' : 'float8'
}

/** Postgres can neither store U+0000 in text nor accept it as a parameter. */
function isStorable(value: string | number): boolean {
  return typeof value === 'number' || !value.includes('\u0000')
}
