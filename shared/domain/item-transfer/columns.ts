import { isObject } from '#shared/json/is-object.ts'
import { parsePointer } from '#shared/json/pointer.ts'
import { lengths } from '../limits.ts'
import { didYouMean } from '../text/nearest.ts'
import { type CellType, cellTypes, guessType } from './cell.ts'

/** Where the cells of a column of a CSV file stand in an item's data. `pointer` null: the column is left out. */
export type Column = { name: string; pointer: string | null; type: CellType }

/** What a list tells of its items' data; `schema` is its JSON Schema. */
export type ListShape = {
  schema: unknown
  indexes: readonly { pathName: string; pointer: string; valueType: string }[]
}

/** The column in which a file of refused rows tells why; an import leaves it out. */
export const errorColumn = 'import_error'

/**
 * A column for each name of a header. Its pointer is the name, if it is one, or that of the index which has the name, or that of the
 * property which has it. Its type is what the list's schema, or an index, says of the pointer, or what the samples look like.
 * @param samples rows, by which a type is guessed; none: text
 */
export function proposeColumns(
  header: readonly string[],
  { schema, indexes }: ListShape,
  samples: readonly (readonly string[])[] = [],
): Column[] {
  return header.map((name, n) => {
    const index = indexes.find(({ pathName }) => pathName === name.toLowerCase())
    const isPointer = name.startsWith('/') && parsePointer(name) !== null
    const pointer = isPointer ? name : (index?.pointer ?? `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    const known =
      typeInSchema(schema, pointer) ?? typeOfIndex(indexes.find((one) => one.pointer === pointer)?.valueType)
    const type = known ?? guessType(samples.map((cells) => cells[n] ?? ''))
    return { name, pointer: name === '' || name === errorColumn ? null : pointer, type }
  })
}

function typeOfIndex(valueType: string | undefined): CellType | null {
  return valueType === 'number' || valueType === 'date' ? valueType : null
}

/** What a schema says of a pointer by `properties`, `items` and `type`; null: nothing. */
function typeInSchema(schema: unknown, pointer: string): CellType | null {
  let found = schema
  for (const token of parsePointer(pointer) ?? []) {
    if (!isObject(found)) return null
    const { properties, items } = found
    found = isObject(properties) && Object.hasOwn(properties, token) ? properties[token] : items
  }
  if (!isObject(found)) return null
  const types = [found.type].flat().filter((type) => type !== 'null')
  if (types.length !== 1) return null
  if (types[0] === 'string') return /^date(-time)?$/.test(String(found.format)) ? 'date' : 'text'
  return typesOfSchema.get(types[0]) ?? null
}

const typesOfSchema: ReadonlyMap<unknown, CellType> = new Map([
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['object', 'json'],
  ['array', 'json'],
])

/** `column=/pointer:type`; without a type that stays as proposed, and `column=` leaves the column out. */
export type ColumnChange = { name: string; pointer: string | null; type: CellType | undefined }

/** @throws Error with a sentence */
export function parseColumnChange(text: string): ColumnChange {
  const equals = text.lastIndexOf('=', text.includes('=/') ? text.indexOf('=/') : text.length)
  if (equals < 1) throw new Error(`"${text}" does not map a column; write column=/pointer, or column=/pointer:type.`)
  const name = text.slice(0, equals)
  const target = text.slice(equals + 1)
  const typed = /^(.*):([^:/]*)$/.exec(target)
  const [pointer = target, type] = typed ? typed.slice(1) : []
  if (type !== undefined && !isCellType(type)) {
    throw new Error(
      `"${type}" is no type of a column${didYouMean(type, cellTypes)}; there are ${cellTypes.join(', ')}.`,
    )
  }
  if (pointer === '') return { name, pointer: null, type }
  return { name, pointer, type }
}

function isCellType(text: string): text is CellType {
  return cellTypes.some((type) => type === text)
}

/** Columns with changes by their names. @throws Error for a name that no column has */
export function changeColumns(columns: readonly Column[], changes: readonly ColumnChange[]): Column[] {
  const names = columns.map(({ name }) => name)
  const unknown = changes.find(({ name }) => !names.includes(name))
  if (unknown) throw new Error(`there is no column "${unknown.name}"${didYouMean(unknown.name, names)}.`)
  return columns.map((column) => {
    const change = changes.find(({ name }) => name === column.name)
    return change ? { ...column, pointer: change.pointer, type: change.type ?? column.type } : column
  })
}

/** What is wrong with columns, each by its position. */
export function columnErrors(columns: readonly Column[]): { column: number; message: string }[] {
  return columns.flatMap(({ name, pointer }, column) => {
    const earlier = columns.slice(0, column)
    if (name !== '' && earlier.some((one) => one.name === name)) {
      return [{ column, message: `another column has the name "${name}" too` }]
    }
    const message = pointer === null ? null : pointerError(pointer, earlier)
    return message === null ? [] : [{ column, message }]
  })
}

function pointerError(pointer: string, earlier: readonly Column[]): string | null {
  if (parsePointer(pointer) === null) return `"${pointer}" is not a JSON Pointer, such as /title`
  if (pointer.length > lengths.pointer) return `the pointer has more than ${lengths.pointer} characters`
  for (const other of earlier) {
    if (other.pointer === null) continue
    if (other.pointer === pointer)
      return `the column "${other.name}" is mapped to ${pointer || 'the whole data'} already`
    if (isWithin(pointer, other.pointer) || isWithin(other.pointer, pointer)) {
      return `${pointer} and ${other.pointer} of the column "${other.name}" cannot both be set: one lies within the other`
    }
  }
  return null
}

const isWithin = (inner: string, outer: string) => inner.startsWith(`${outer}/`)
