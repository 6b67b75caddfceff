import type { Dialect, ListedRows, NestedRows, NestedTable, RowsWithAny, Sql, UpdateFrom } from '../../dialect.ts'
import { limitToEnd, passingInTurn, plainOrderedUnion } from '../ordered-union.ts'
import { joinSql, raw, sql } from '../sql.ts'

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  mark: () => '?',
  clock: () => ({ text: '?', bindings: [Date.now()] }),
  serverVersion: () => ({ text: "'SQLite ' || sqlite_version()", bindings: [] }),
  databaseSizes: () => fileSize(sqliteDialect),
  inList: (column, values) => ({
    text: `${column} in (select value from json_each(?))`,
    bindings: [JSON.stringify(values)],
  }),
  rowsWithAny: (rows) => listedText(rows)(sqliteDialect),
  valuesTable(columns, rows) {
    const selected = Object.keys(columns).map((name, position) => `line ->> ${position} as ${name}`)
    // The limit makes SQLite write out a line once, instead of once for each column: 50 rows of 27 take a third of the time.
    const lines = '(select value as line from json_each(?) limit -1)'
    return { text: `(select ${selected.join(', ')} from ${lines}) as input`, bindings: [JSON.stringify(rows)] }
  },
  jsonArrayContainsAny: (column, values) => ({
    text: `exists (select 1 from json_each(${column}) held where held.value in (select value from json_each(?)))`,
    bindings: [JSON.stringify(values)],
  }),
  jsonArray: (columns) => ({ text: `json_array(${columns.join(', ')})`, bindings: [] }),
  nestedRows: (rows) => nestedText(rows, 'json_group_array', 'json_array'),
  // Any number of rows up to 64: with groups of 31 creates this costs 87 µs of CPU each, against 113 with powers of two.
  rowsOfInsert: (waiting) => Math.min(waiting, 64),
  insertByColumns: () => null,
  updateFrom: (update) => updateFromText(update)(sqliteDialect),
  deleteInList: (rows) => deleteText(rows)(sqliteDialect),
  onConflict: (key, set) => conflictText(key, set)(sqliteDialect),
  excluded: (column) => ({ text: `excluded.${column}`, bindings: [] }),
  unionAllOrdered: (ranges, part) => plainOrderedUnion(ranges, part)(sqliteDialect),
  passingRows: (rows, passes, part) => passingInTurn(rows, passes, part)(sqliteDialect),
  limitUnion: (selects, limit) => limitUnionText(selects, limit)(sqliteDialect),
  packsColumns: true,
  throughIndex: (table) => ({ text: table, bindings: [] }),
  limitBranch: (range) => range(sqliteDialect),
  orderBehindNull: (_leading, order) => ({ text: order, bindings: [] }),
  startsWith: (column, text) => ({ text: `substr(${column}, 1, length(?)) = ?`, bindings: [text, text] }),
  contains: (column, text) => ({ text: `instr(${column}, ?) > 0`, bindings: [text] }),
  firstLine: (column) => ({ text: `substr(${column}, 1, instr(${column} || char(10), char(10)) - 1)`, bindings: [] }),
  indexesParts: false,
  lock: { forUpdate: '', forUpdateSkippingLocked: '', forShare: '', forShareSkippingLocked: '' },
  types: {
    text: (length) => `varchar(${length})`,
    longText: 'text',
    int: 'bigint',
    flag: 'smallint',
    double: 'double precision',
    computed: 'virtual',
    collation: null,
    byPrimaryKey: ' without rowid',
  },
  transactionalSchema: true,
  isSchemaChangeDone: () => false,
}

// The functions below serve SQLite and Postgres.

export function updateFromText({ table, set, from, where }: UpdateFrom): Sql {
  return sql`update ${raw(table)} set ${assignments(set)} from ${from} where ${where}`
}

export function deleteText({ table, column, values, and }: ListedRows): Sql {
  const isListed: Sql = (dialect) => dialect.inList(column, values)
  return sql`delete from ${raw(table)} where ${isListed}${and ? sql` and ${and}` : raw('')}`
}

export function conflictText(key: readonly string[], set: Readonly<Record<string, Sql>>): Sql {
  const target = raw(`on conflict (${key.join(', ')}) do `)
  return Object.keys(set).length === 0 ? sql`${target}nothing` : sql`${target}update set ${assignments(set)}`
}

/** @param all the SQL function that builds an array of the rows; `row` builds one of a row's columns */
export function nestedText({ table, columns, column, of }: NestedTable, all: string, row: string): NestedRows {
  const arrays = raw(`${all}(${row}(${columns.join(', ')}))`)
  const where = raw(`${table}.${column} = ${of}`)
  return { nested: sql`(select ${arrays} from ${raw(table)} where ${where}) as nested`, join: raw('') }
}

/** Rows with one of several values, where the database looks up each value of a list. */
export function listedText({ from, where, column, values }: RowsWithAny): Sql {
  const isListed: Sql = (dialect) => dialect.inList(column, values)
  return sql`from ${from} where ${where} and ${isListed}`
}

export function limitUnionText(selects: readonly Sql[], limit: number): Sql {
  return sql`${joinSql(selects, ' union all ')} ${limitToEnd({ limit })}`
}

/** The size of a single table is not known without reading it. */
const fileSize = sql`select 'all tables' as name, page_count * page_size as bytes from pragma_page_count, pragma_page_size`

function assignments(set: Readonly<Record<string, Sql>>): Sql {
  const parts = Object.entries(set).map(([column, value]) => sql`${raw(column)} = ${value}`)
  return joinSql(parts, ', ')
}
