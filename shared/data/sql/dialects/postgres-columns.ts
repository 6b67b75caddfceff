import type { ColumnValue, InsertInto, Sql } from '../../dialect.ts'
import { joinSql, raw, sql } from '../sql.ts'

/**
 * An insert with one binding for each column, an array in Postgres's binary format: the text is the same for any number of rows, and
 * there are few bindings instead of one for each value. The server reads the arrays row by row, in order.
 * @param values the values of all rows, one row after the other, each in the order of the columns
 */
export function insertByColumns({ table, columns }: InsertInto, values: readonly ColumnValue[]): Sql {
  const arrays = columns.map((name, position) => {
    const column = columnOf(values, position, columns.length)
    return { name: `"${name}"`, type: typeOf(column), column }
  })
  const filled = arrays.filter((each): each is Filled => each.type !== null)
  const names = (some: readonly { name: string }[]) => raw(some.map(({ name }) => name).join(', '))
  const selected = raw(arrays.map(({ name, type }) => (type === null ? 'null' : name)).join(', '))
  const from = filled.map(({ type, column }) => sql`${binaryArray(column, type)}::${raw(type)}[]`)
  return sql`insert into ${raw(table)} (${names(arrays)}) select ${selected}
    from unnest(${joinSql(from, ', ')}) as input (${names(filled)})`
}

type Filled = { name: string; type: ElementType; column: ColumnValue[] }

type ElementType = 'text' | 'int8'

function columnOf(values: readonly ColumnValue[], position: number, width: number): ColumnValue[] {
  const column: ColumnValue[] = []
  for (let n = position; n < values.length; n += width) column.push(values[n] ?? null)
  return column
}

/** Null: the column has no value, and so no type. */
function typeOf(column: readonly ColumnValue[]): ElementType | null {
  const value = column.find((each) => each !== null)
  if (value === undefined) return null
  return typeof value === 'string' ? 'text' : 'int8'
}

const oids: Record<ElementType, number> = { text: 25, int8: 20 }
const headerBytes = 20

/** What `array_recv` reads: dimensions, whether there are nulls, the type, length and lower bound, then each value after its length. */
function binaryArray(column: readonly ColumnValue[], type: ElementType): Buffer {
  const lengths = column.map(bytesOf)
  const buffer = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, headerBytes))
  const header = [1, Number(column.includes(null)), oids[type], column.length, 1]
  let at = 0
  for (const number of header) at = buffer.writeInt32BE(number, at)
  for (const [n, value] of column.entries()) {
    at = buffer.writeInt32BE(value === null ? -1 : (lengths[n] ?? 0), at)
    if (value !== null) at = writeValue(buffer, value, at)
  }
  return buffer
}

function bytesOf(value: ColumnValue): number {
  if (value === null) return 0
  return typeof value === 'string' ? Buffer.byteLength(value) : 8
}

/** @returns where the next value begins. @throws RangeError for a number that is not an integer: no column contains one */
function writeValue(buffer: Buffer, value: NonNullable<ColumnValue>, at: number): number {
  return typeof value === 'string' ? at + buffer.write(value, at) : buffer.writeBigInt64BE(BigInt(value), at)
}
