import { childPointer, parsePointer } from '#shared/json/pointer.ts'
import { lengths } from '../limits.ts'
import { didYouMean } from '../text/nearest.ts'
import { type CellType, cellTypes, guessType } from './cell.ts'
import { errorColumn } from './record.ts'
import { createCellTypes } from './schema-cell-type.ts'

/**
 * The place in an item's data for the cells of a CSV column. `pointer` null: the column is skipped. `isUndecided`: the column has no name,
 * and the user has not decided about it; a row with a value in it is rejected.
 */
export type Column = { name: string; pointer: string | null; type: CellType; isUndecided?: boolean }

/** The description of a list's data; `schema` is its JSON Schema. */
export type ListShape = {
  schema: unknown
  indexes: readonly { pathName: string; pointer: string; valueType: string }[]
}

/**
 * Proposes a column for each name of a header. The pointer is the name itself if it is a pointer, or that of the index or property with
 * this name. The type follows from the list's schema, an index, or the samples, in this order.
 * @param samples rows to guess types from; without rows the type is text
 */
export function proposeColumns(
  header: readonly string[],
  { schema, indexes }: ListShape,
  samples: readonly (readonly string[])[] = [],
): Column[] {
  const typeInSchema = createCellTypes(schema)
  const byName = new Map(indexes.map((index) => [index.pathName, index]))
  const byPointer = new Map(indexes.toReversed().map((index) => [index.pointer, index]))
  return header.map((name, n) => {
    const isPointer = name.startsWith('/') && parsePointer(name) !== null
    const pointer = isPointer ? name : (byName.get(name.toLowerCase())?.pointer ?? childPointer('', name))
    const known = typeInSchema(pointer) ?? typeOfIndex(byPointer.get(pointer)?.valueType)
    const type = known ?? guessType(samples.map((cells) => cells[n] ?? ''))
    if (name === '') return { name, pointer: null, type, isUndecided: true }
    return { name, pointer: name === errorColumn ? null : pointer, type }
  })
}

function typeOfIndex(valueType: string | undefined): CellType | null {
  return valueType === 'number' || valueType === 'date' ? valueType : null
}

/** `column=/pointer:type`; without a type the proposed one is kept; `column=` skips the column. */
export type ColumnChange = { name: string; pointer: string | null; type: CellType | undefined }

/** @throws Error with a message for the user */
export function parseColumnChange(text: string): ColumnChange {
  const equals = text.lastIndexOf('=', text.includes('=/') ? text.indexOf('=/') : text.length)
  if (equals < 1) throw new Error(`"${text}" does not map a column; write column=/pointer, or column=/pointer:type.`)
  const name = text.slice(0, equals)
  const target = text.slice(equals + 1)
  const typed = /^(.*):([^:/]*)$/.exec(target)
  const [pointer = target, type] = typed ? typed.slice(1) : []
  if (type !== undefined && !isCellType(type)) {
    throw new Error(`"${type}" is not a column type${didYouMean(type, cellTypes)}; there are ${cellTypes.join(', ')}.`)
  }
  if (pointer === '') return { name, pointer: null, type }
  return { name, pointer, type }
}

function isCellType(text: string): text is CellType {
  return cellTypes.some((type) => type === text)
}

/**
 * Applies changes to columns by name, or by position: `#3` is the third, unless a column has this name.
 * @throws Error for a name that no column has
 */
export function changeColumns(columns: readonly Column[], changes: readonly ColumnChange[]): Column[] {
  const names = columns.map(({ name }) => name)
  const positions = new Map(names.map((name, n) => [name, n]))
  const changed = [...columns]
  for (const { name, pointer, type } of changes) {
    const position = positions.get(name) ?? Number(/^#([1-9]\d*)$/.exec(name)?.[1] ?? Number.NaN) - 1
    const column = changed[position]
    if (!column) throw new Error(`there is no column "${name}"${didYouMean(name, names)}.`)
    changed[position] = { name: column.name, pointer, type: type ?? column.type }
  }
  return changed
}

/** The errors of columns, by position. The work is linear in the number of columns. */
export function columnErrors(columns: readonly Column[]): { column: number; message: string }[] {
  const names = new Set<string>()
  const earlier: Earlier = { exact: new Map(), around: new Map() }
  return columns.flatMap(({ name, pointer }, column) => {
    const isRepeated = name !== '' && name !== errorColumn && names.has(name)
    names.add(name)
    const message = pointer === null ? null : pointerError({ name, pointer }, earlier)
    if (isRepeated) return [{ column, message: `another column has the name "${name}" too` }]
    return message === null ? [] : [{ column, message }]
  })
}

/** The earlier columns, by their pointers, and by all enclosing pointers. */
type Earlier = { exact: Map<string, Target>; around: Map<string, Target> }
type Target = { name: string; pointer: string }

function pointerError(target: Target, earlier: Earlier): string | null {
  const { pointer } = target
  if (parsePointer(pointer) === null) return `"${pointer}" is not a JSON Pointer, such as /title`
  if (pointer.length > lengths.pointer) return `the pointer has more than ${lengths.pointer} characters`
  const same = earlier.exact.get(pointer)
  const outer = outerPointers(pointer)
  const other = earlier.around.get(pointer) ?? outer.flatMap((one) => earlier.exact.get(one) ?? [])[0]
  if (!earlier.exact.has(pointer)) earlier.exact.set(pointer, target)
  for (const one of outer) if (!earlier.around.has(one)) earlier.around.set(one, target)
  if (same) return `the column "${same.name}" is mapped to ${pointer || 'the whole data'} already`
  if (!other) return null
  return `${pointer} and ${other.pointer} of the column "${other.name}" cannot both be set: one is within the other`
}

/** The pointers that enclose a pointer. */
function outerPointers(pointer: string): string[] {
  const outer: string[] = []
  for (let end = pointer.indexOf('/'); end !== -1; end = pointer.indexOf('/', end + 1))
    outer.push(pointer.slice(0, end))
  return outer
}
