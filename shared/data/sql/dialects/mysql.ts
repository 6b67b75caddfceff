import { hasCode } from '../../database-errors.ts'
import type { ColumnTypes, Dialect, ListedRows, NestedRows, NestedTable, Sql, UpdateFrom } from '../../dialect.ts'
import { limitedOrderedUnion, passingInOrder } from '../ordered-union.ts'
import { joinSql, raw, sql } from '../sql.ts'
import { idTable } from '../statements.ts'
import { listedText } from './sqlite.ts'

/**
 * MySQL 8 and MariaDB 10.6 or later.
 *
 * Two rules shape the statements here. A statement must reach each row by an index it names, because InnoDB locks every row
 * that it scans: an update or delete that scans a small table waits for rows it never changes. And the text of a statement
 * must not vary with the number of values, because it is prepared on every connection.
 * @param collation one that compares bytes and does not pad: under `utf8mb4_bin` 'a' and 'a ' are the same key
 */
export function mysqlDialect(collation: string): Dialect {
  const text = (length: number) => `varchar(${length}) character set utf8mb4 collate ${collation}`
  const dialect: Dialect = {
    name: 'mysql',
    mark: () => '?',
    clock: () => ({ text: "timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000", bindings: [] }),
    serverVersion: () => ({ text: 'version()', bindings: [] }),
    databaseSizes: () => tableSizes(dialect),
    // Not a subquery: MariaDB's deletes and updates would scan the whole table. The number of marks is padded to a power of
    // two, so that there are few statement texts and they stay prepared.
    inList(column, values) {
      if (values.length === 0) return { text: '1 = 0', bindings: [] }
      const bindings = padded(values)
      return { text: `${column} in (${bindings.map(() => '?').join(', ')})`, bindings }
    },
    rowsWithAny: (rows) => listedText(rows)(dialect),
    valuesTable(columns, rows) {
      const types = { int: 'bigint', text: text(768), longText: 'longtext' }
      const parts = Object.entries(columns).map(
        ([name, type], position) => `${name} ${types[type]} path '$[${position}]'`,
      )
      const table = `json_table(?, '$[*]' columns (${parts.join(', ')})) as input`
      return { text: table, bindings: [JSON.stringify(rows)] }
    },
    // Not `exists` over json_table: inside a derived table that MySQL 9 counts, it finds no rows.
    jsonArrayContainsAny(column, values) {
      if (values.length === 0) return { text: '1 = 0', bindings: [] }
      const held = values.map(() => `json_contains(${column}, ?)`)
      return { text: `(${held.join(' or ')})`, bindings: values.map((value) => JSON.stringify(value)) }
    },
    jsonArray: (columns) => ({ text: `json_array(${columns.join(', ')})`, bindings: [] }),
    nestedRows: nestedInRows,
    ...insertsByValues,
    updateFrom: (update) => updateJoinText(update)(dialect),
    deleteInList: (rows) => deleteJoinText(rows)(dialect),
    onConflict: (key, set) => conflictText(key, set)(dialect),
    excluded: (column) => ({ text: `values(${column})`, bindings: [] }),
    unionAllOrdered: (ranges, part) => limitedOrderedUnion(ranges, part)(dialect),
    passingRows: (rows, passes, part) => passingInOrder(rows, passes, part)(dialect),
    limitUnion: (selects, limit) => limitEachText(selects, limit)(dialect),
    packsColumns: false,
    throughIndex: (table, index) => ({ text: `${table} force index (${index})`, bindings: [] }),
    limitBranch: (range) => range(dialect),
    orderBehindNull: (_leading, order) => ({ text: order, bindings: [] }),
    startsWith: (column, start) => ({ text: `left(${column}, char_length(?)) = ?`, bindings: [start, start] }),
    contains: (column, part) => ({ text: `instr(${column}, ?) > 0`, bindings: [part] }),
    firstLine: (column) => ({ text: `substring_index(${column}, ?, 1)`, bindings: ['\n'] }),
    indexesParts: false,
    lock,
    types: { ...types, collation },
    transactionalSchema: false,
    isSchemaChangeDone: (error) => hasCode(error, doneCodes),
  }
  return dialect
}

/**
 * A statement that is not prepared yet costs twice as much, and a server prepares it per connection. So inserts come in few
 * sizes; any number of rows up to 40 needs two statements at most.
 */
const insertSizes = [64, 32, 28, 24, 20, 16, 14, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1]
const insertsByValues: Pick<Dialect, 'rowsOfInsert' | 'insertByColumns'> = {
  rowsOfInsert: (waiting) => insertSizes.find((size) => size <= waiting) ?? 1,
  insertByColumns: () => null,
}

const types: Omit<ColumnTypes, 'collation'> = {
  text: (length) => `varchar(${length})`,
  longText: 'longtext',
  int: 'bigint',
  flag: 'smallint',
  double: 'double',
  computed: 'virtual',
  byPrimaryKey: '',
}

const lock: Dialect['lock'] = {
  forUpdate: 'for update',
  forUpdateSkippingLocked: 'for update skip locked',
  forShare: 'lock in share mode',
  // MariaDB reads the first comment as a part of the statement, and MySQL the second.
  forShareSkippingLocked: '/*M! lock in share mode skip locked */ /*!50900 for share skip locked */',
}

/** The table, column or index exists already, or what was to be dropped or renamed does not exist. */
const doneCodes = [
  'ER_TABLE_EXISTS_ERROR',
  'ER_DUP_FIELDNAME',
  'ER_DUP_KEYNAME',
  'ER_CANT_DROP_FIELD_OR_KEY',
  'ER_BAD_FIELD_ERROR',
]

/** One nested row in each row, because MariaDB cuts the result of `json_arrayagg` at `group_concat_max_len`. */
function nestedInRows({ table, columns, column, of }: NestedTable): NestedRows {
  const array = raw(`case when ${table}.${column} is not null then json_array(json_array(${columns.join(', ')})) end`)
  return { nested: sql`${array} as nested`, join: sql`left join ${raw(table)} on ${raw(`${table}.${column} = ${of}`)}` }
}

/**
 * The values table comes first in the join, and each of its rows finds one row by the primary key. Otherwise MySQL scans a
 * small table and waits for every row that another transaction has locked, even rows it does not change.
 */
function updateJoinText({ table, set, from, where }: UpdateFrom): Sql {
  const assignments = Object.entries(set).map(([column, value]) => sql`${raw(`${table}.${column}`)} = ${value}`)
  return sql`update ${from} straight_join ${raw(table)} force index (primary) on ${where} set ${joinSql(assignments, ', ')}`
}

/** The same join order as in `updateJoinText`, for the same reason. */
function deleteJoinText({ table, column, values, index = 'primary', and }: ListedRows): Sql {
  const [from, to] = [raw(`delete ${table} from`), raw(`straight_join ${table} force index (${index})`)]
  const where = and ? sql` where ${and}` : raw('')
  return sql`${from} ${idTable(values)} ${to} on ${raw(`${table}.${column}`)} = input.id${where}`
}

function conflictText(key: readonly string[], set: Readonly<Record<string, Sql>>): Sql {
  const entries = Object.entries(set)
  // `insert ignore` would hide every other error too.
  const parts = entries.length > 0 ? entries : key.slice(0, 1).map((column) => [column, raw(column)] as const)
  const assignments = parts.map(([column, value]) => sql`${raw(column)} = ${value}`)
  return sql`on duplicate key update ${joinSql(assignments, ', ')}`
}

/** The sizes as of the server's last count. */
const tableSizes = sql`select table_name as name, data_length + index_length as bytes
  from information_schema.tables where table_schema = database() order by table_name`

/** MariaDB would read each select to its end, so each has its own limit. */
function limitEachText(selects: readonly Sql[], limit: number): Sql {
  const limited = selects.length === 1 ? selects : selects.map((select) => sql`(${select} limit ${limit})`)
  return sql`${joinSql(limited, ' union all ')} limit ${limit}`
}

/** Repeats the last value up to the next power of two. */
function padded(values: readonly (string | number)[]): (string | number)[] {
  const size = 2 ** Math.ceil(Math.log2(values.length))
  return [...values, ...Array<string | number>(size - values.length).fill(values.at(-1) ?? '')]
}
