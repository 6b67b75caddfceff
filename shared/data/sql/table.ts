import type { Field, Fields, NamesOfKind, ValuesOf } from '#shared/domain/fields/field.ts'
import { fieldNames, fieldOf } from '#shared/domain/fields/values.ts'
import { toBoolean, toJson, toNumber, toText } from '../columns.ts'
import type { Row } from '../database.ts'
import type { ColumnValue, NestedRows, Sql } from '../dialect.ts'
import { type Columns, type Rows, rowMapper } from './insert-rows.ts'
import { joinSql, raw, sql } from './sql.ts'
import { jsonArray, nestedRows } from './statements.ts'

/** The table of a resource that is declared by its fields. */
type Table<F extends Fields> = {
  /** The column of each field. */
  columns: ColumnNames<F>
  /**
   * The columns as SQL, for a select of whole resources. Never `*`: a later version adds columns while this one runs, and
   * Postgres rejects a prepared statement whose result has changed.
   */
  selected: Sql
  /** The resource in a row that has all of the columns. @throws TypeError when it lacks one */
  fromRow(row: Row): ValuesOf<F>
  /**
   * The columns of a row as one column, followed by those of `json` fields, whose texts may be long; `fromPacked` reads them. A driver
   * takes about as long for each column as the database does for the row, so thousands of rows take a third of the time.
   */
  packed: Sql
  fromPacked(row: Row): ValuesOf<F>
  /** The rows that have the value of `of` in `column`, as a column `nested` of another select and a join of it. */
  nested(column: string, of: string): NestedRows
  /**
   * The resources in a `nested` column. With some databases these are only a part: the outer row then occurs again, with the next part.
   */
  fromNested(nested: unknown): ValuesOf<F>[]
  /** Like `fromRow`, for rows that have the columns of some fields only. */
  reader<Name extends NameOf<F>>(names: readonly Name[]): (row: Row) => Pick<ValuesOf<F>, Name>
  /** All columns, including derived ones, each with the function that returns its value. */
  allColumns: Columns<ValuesOf<F>>
  /** Rows to insert. */
  rows(resources: readonly ValuesOf<F>[]): Rows
  /** The columns of some fields, with the keys derived from them, each with the function that returns its value. */
  columnsOf(names: readonly NameOf<F>[]): Columns<ValuesOf<F>>
}

export type NameOf<F extends Fields> = keyof F & string
type ColumnNames<F extends Fields> = { readonly [Name in NameOf<F>]: string }

/**
 * A table whose columns contain the fields of a resource.
 * @param options.derived further columns, each with the field from whose text in the database it is computed, and the function
 */
export function tableOf<F extends Fields>(
  name: string,
  fields: F,
  options: {
    columns: ColumnNames<F>
    derived?: Readonly<Record<string, readonly [of: NamesOfKind<F, 'text' | 'list'>, key: (text: string) => string]>>
  },
): Table<F> {
  const { columns, derived = {} } = options
  function columnsOf(chosen: readonly NameOf<F>[]): Columns<ValuesOf<F>> {
    const own = chosen.map((field) => [columns[field], getterOf(field, fieldOf(fields, field))])
    const keys = Object.entries(derived).filter(([, [of]]) => chosen.includes(of))
    const computed = keys.map(([column, [of, key]]) => [column, keyOfText(getterOf(of, fieldOf(fields, of)), key)])
    return Object.fromEntries([...own, ...computed])
  }

  function reader<Name extends NameOf<F>>(
    chosen: readonly Name[],
    keyOf: (field: Name, position: number) => string | number = (field) => columns[field],
  ): (row: Row | unknown[]) => Pick<ValuesOf<F>, Name> {
    const readers = chosen.map((field, position) => ({
      field,
      column: keyOf(field, position),
      read: readAs[fieldOf(fields, field).kind],
    }))
    // Copied for each row, so that all rows have one shape: three times as fast as adding the fields one by one.
    const empty: Values = Object.fromEntries(chosen.map((field) => [field, null]))
    return (row) => {
      const values = { ...empty }
      for (const { field, column, read } of readers) {
        const value = (row as Row)[column]
        if (value === undefined) throw new TypeError(`The row has no column ${column}.`)
        if (value !== null) values[field] = read(value)
      }
      return values as Pick<ValuesOf<F>, Name>
    }
  }

  const names = fieldNames(fields)
  const allColumns = columnsOf(names)
  const long = names.filter((field) => fieldOf(fields, field).kind === 'json')
  const packed = [...names.filter((field) => !long.includes(field)), ...long]
  const fromArray = reader(packed, (_field, position) => position)
  // Quoted: MySQL reserves `schema`.
  const quoted = (chosen: readonly NameOf<F>[]) => chosen.map((field) => `${name}."${columns[field]}"`)
  const short = jsonArray(quoted(packed.slice(0, packed.length - long.length)))
  return {
    columns,
    allColumns,
    columnsOf,
    rows: rowMapper(name, allColumns),
    reader,
    fromRow: reader(names),
    selected: raw(quoted(names).join(', ')),
    packed: joinSql([sql`${short} as packed`, ...quoted(long).map(raw)], ', '),
    fromPacked: (row) => fromArray([...parsed(row.packed), ...long.map((field) => row[columns[field]])]),
    nested: (column, of) => nestedRows({ table: name, columns: quoted(packed), column, of }),
    fromNested: (nested) => parsed(nested).map((row) => fromArray(row as unknown[])),
  }
}

/** A JSON array as the driver returns it; null: an empty one. */
function parsed(array: unknown): unknown[] {
  return (typeof array === 'string' ? JSON.parse(array) : array) ?? []
}

type Values = Record<string, unknown>

/** What an update sets: `"name" = ?, "tags" = ?` with the values of the resource. */
export function assignments<T>(columns: Columns<T>, resource: T): Sql {
  // Quoted: MySQL reserves `schema`.
  const assigned = Object.entries(columns).map(([column, get]) => sql`${raw(`"${column}"`)} = ${get(resource)}`)
  return joinSql(assigned, ', ')
}

const readAs: Record<Field['kind'], (value: unknown) => unknown> = {
  flag: toBoolean,
  integer: toNumber,
  time: toNumber,
  text: toText,
  choice: toText,
  list: toJson,
  json: toText,
  rules: toJson,
}

function getterOf(name: string, { kind }: Field): (from: Values) => ColumnValue {
  if (kind !== 'list' && kind !== 'rules') return (from) => from[name] as ColumnValue
  return (from) => (from[name] === null ? null : JSON.stringify(from[name]))
}

/** The function that returns the value of a column that is computed from the text of another. */
function keyOfText(get: (from: Values) => ColumnValue, key: (text: string) => string) {
  return (from: Values) => key(get(from) as string)
}
