import { hasCode } from '../../drivers/database-errors.ts'
import { rowsOfServerInsert } from '../../drivers/server-options.ts'
import type { Dialect, Sql, UpdateFrom } from '../dialect.ts'
import { limitedOrderedUnion } from '../ordered-union.ts'
import { joinSql, raw, sql } from '../sql.ts'
import { idTable } from '../statements.ts'

/**
 * MySQL 8 and MariaDB 10.6 or later.
 * @param collation the one that compares bytes and does not pad: `utf8mb4_bin` takes 'a' and 'a ' for one key
 */
export function mysqlDialect(collation: string): Dialect {
  const text = (length: number) => `varchar(${length}) character set utf8mb4 collate ${collation}`
  const dialect: Dialect = {
    name: 'mysql',
    value: (value) => ({ text: '?', bindings: [value] }),
    // Of a subquery MariaDB's deletes and updates make a look through the whole table. The numbers of marks are few, so
    // that statements stay prepared.
    inList(column, values) {
      if (values.length === 0) return { text: '1 = 0', bindings: [] }
      const bindings = padded(values)
      return { text: `${column} in (${bindings.map(() => '?').join(', ')})`, bindings }
    },
    valuesTable(columns, rows) {
      const types = { int: 'bigint', text: text(768), longText: 'longtext' }
      const parts = Object.entries(columns).map(
        ([name, type], position) => `${name} ${types[type]} path '$[${position}]'`,
      )
      const table = `json_table(?, '$[*]' columns (${parts.join(', ')})) as given`
      return { text: table, bindings: [JSON.stringify(rows)] }
    },
    // Of a table of the elements, `exists` finds none where MySQL 9 counts the rows of a derived table.
    jsonArrayContainsAny(column, values) {
      if (values.length === 0) return { text: '1 = 0', bindings: [] }
      const held = values.map(() => `json_contains(${column}, ?)`)
      return { text: `(${held.join(' or ')})`, bindings: values.map((value) => JSON.stringify(value)) }
    },
    rowsOfInsert: rowsOfServerInsert,
    updateFrom: (update) => updateJoined(update)(dialect),
    deleteInList: (table, column, values) => deleteJoined(table, column, values)(dialect),
    onConflict: (key, set) => duplicateText(key, set)(dialect),
    excluded: (column) => ({ text: `values(${column})`, bindings: [] }),
    unionAllOrdered: (ranges, part) => limitedOrderedUnion(ranges, part)(dialect),
    limitUnion: (selects, limit) => firstOfEach(selects, limit)(dialect),
    limitBranch: (range) => range(dialect),
    startsWith: (column, start) => ({ text: `left(${column}, char_length(?)) = ?`, bindings: [start, start] }),
    contains: (column, part) => ({ text: `instr(${column}, ?) > 0`, bindings: [part] }),
    lock: {
      forUpdate: 'for update',
      forUpdateSkippingLocked: 'for update skip locked',
      forShare: 'lock in share mode',
    },
    types: {
      text: (length) => `varchar(${length})`,
      longText: 'longtext',
      int: 'bigint',
      flag: 'smallint',
      double: 'double',
      collation,
      byPrimaryKey: '',
    },
    transactionalSchema: false,
    isSchemaChangeDone: (error) => hasCode(error, doneCodes),
  }
  return dialect
}

/** The table, column or index is there, or what was to be dropped is not. */
const doneCodes = ['ER_TABLE_EXISTS_ERROR', 'ER_DUP_FIELDNAME', 'ER_DUP_KEYNAME', 'ER_CANT_DROP_FIELD_OR_KEY']

/**
 * The given rows lead, and each finds its row by the primary key: a table of few rows would be looked through otherwise,
 * which waits for every row that another transaction has locked, whether it is meant or not.
 */
function updateJoined({ table, set, from, where }: UpdateFrom): Sql {
  const assignments = Object.entries(set).map(([column, value]) => sql`${raw(`${table}.${column}`)} = ${value}`)
  return sql`update ${from} straight_join ${raw(table)} force index (primary) on ${where} set ${joinSql(assignments, ', ')}`
}

/** As `updateJoined`. */
function deleteJoined(table: string, column: string, values: readonly string[]): Sql {
  const from = raw(`delete ${table} from`)
  return sql`${from} ${idTable(values)} straight_join ${raw(table)} force index (primary) on ${raw(`${table}.${column}`)} = given.id`
}

function duplicateText(key: readonly string[], set: Readonly<Record<string, Sql>>): Sql {
  const entries = Object.entries(set)
  // Ignoring the row would ignore every other error too.
  const parts = entries.length > 0 ? entries : key.slice(0, 1).map((column) => [column, raw(column)] as const)
  const assignments = parts.map(([column, value]) => sql`${raw(column)} = ${value}`)
  return sql`on duplicate key update ${joinSql(assignments, ', ')}`
}

/** MariaDB would read the whole of each. */
function firstOfEach(selects: readonly Sql[], limit: number): Sql {
  const cut = selects.length === 1 ? selects : selects.map((select) => sql`(${select} limit ${limit})`)
  return sql`${joinSql(cut, ' union all ')} limit ${limit}`
}

/** Repeats the last value up to the next power of two. */
function padded(values: readonly (string | number)[]): (string | number)[] {
  const size = 2 ** Math.ceil(Math.log2(values.length))
  return [...values, ...Array<string | number>(size - values.length).fill(values.at(-1) ?? '')]
}
