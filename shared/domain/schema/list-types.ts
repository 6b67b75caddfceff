import { byKey } from '#shared/json/by-key.ts'
import { pathNameKey } from '../path-name.ts'
import { holdsArray } from './holds-array.ts'
import { docComment, pascalCase, propertyKey, schemaTypes, type UniqueName } from './types.ts'

/** What types are made of: a parsed sync document without errors (see `syncDocumentErrors`, `checkSchema`). */
export type TypedDocument = { lists: Record<string, TypedList> }

type TypedList = { description?: string; schema?: unknown; indexes?: Record<string, TypedIndex> }
type TypedIndex = { pointer?: string; valueType?: string; alias?: boolean; filtering?: boolean; sorting?: boolean }

/**
 * TypeScript for the client (`createClient<Lists>`): the data of each list, the index whose values name items, the indexes that
 * items can be filtered by, and those that they can be ordered by. The same lists are always the same text, in whatever order they
 * come.
 */
export function listTypes({ lists }: TypedDocument): string {
  const uniqueName = uniqueNames(['Lists', 'Record'])
  const typed = sortedEntries(lists).map(([pathName, list]) => {
    const name = uniqueName(typeName(pathName))
    return { pathName, list, name, declarations: dataTypes(name, list, uniqueName) }
  })
  const members = typed.map(({ pathName, list, name }) => {
    const indexes = `index: ${indexTypes(list)}; order: ${orders(list)}`
    return `${docComment(list, '  ')}  ${propertyKey(pathName)}: { data: ${name}; ${indexes} }\n`
  })
  return [
    '/** What the lists hold: made by "listd types", for listd-client. */\n',
    `export type Lists = {\n${members.join('')}}\n`,
    ...typed.flatMap(({ declarations }) => declarations.map((declaration) => `\n${declaration}`)),
  ].join('')
}

function dataTypes(name: string, { schema }: TypedList, uniqueName: UniqueName): string[] {
  return schemaTypes(name, schema ?? true, uniqueName)
}

/** A type's name begins with a letter, a path name perhaps with a digit. */
function typeName(pathName: string): string {
  const name = pascalCase(pathName)
  return /^[A-Z]/.test(name) ? name : `List${name}`
}

/** Of an array each element is a value: the schema of the list tells where one may be. */
function indexTypes({ indexes = {}, schema }: TypedList): string {
  const members = storedIndexes(indexes).flatMap(([name, { alias, filtering, pointer, valueType = 'string' }]) => {
    const isOfArrays = filtering && !alias && pointer !== undefined && holdsArray(schema, pointer)
    const kinds = [...(alias ? ['alias'] : []), ...(filtering ? [valueType] : []), ...(isOfArrays ? ['array'] : [])]
    const type = kinds.map((kind) => JSON.stringify(kind)).join(' | ')
    return type ? [`${propertyKey(name)}: ${type}`] : []
  })
  return members.length > 0 ? `{ ${members.join('; ')} }` : 'Record<never, never>'
}

function orders({ indexes = {} }: TypedList): string {
  const names = storedIndexes(indexes).filter(([, { sorting }]) => sorting)
  return names.map(([name]) => JSON.stringify(name)).join(' | ') || 'never'
}

/** Under the names that they are stored by: the types of a document are those of the lists that it makes. */
function storedIndexes(indexes: Record<string, TypedIndex>): [string, TypedIndex][] {
  return Object.entries(indexes)
    .map(([name, index]): [string, TypedIndex] => [pathNameKey(name), index])
    .sort(byKey)
}

function sortedEntries<T>(entries: Record<string, T>): [string, T][] {
  return Object.entries(entries).sort(byKey)
}

function uniqueNames(taken: readonly string[]): UniqueName {
  const names = new Set(taken)
  return (wanted) => {
    let name = wanted
    for (let n = 2; names.has(name); n++) name = `${wanted}${n}`
    names.add(name)
    return name
  }
}
