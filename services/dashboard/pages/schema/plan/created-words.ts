import { counted } from '#shared/domain/text/counted.ts'
import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'

/**
 * Describes a created list or index from the document: a plan says only that it is created.
 * @param document a parsed sync document
 */
export function createdWords(document: unknown, { list, index }: { list: string; index?: string }): string {
  const entry = memberOf(memberOf(document, 'lists'), list)
  if (index === undefined) return listWords(entry)
  // A plan has the names of indexes in lower case, a document in any case.
  const indexes = Object.entries(objectOf(memberOf(entry, 'indexes')))
  return indexWords(indexes.find(([key]) => key.toLowerCase() === index)?.[1])
}

function listWords(entry: unknown): string {
  const schema = memberOf(entry, 'schema')
  const properties = Object.keys(objectOf(memberOf(schema, 'properties'))).length
  const of = properties > 0 ? ` with ${counted(properties, 'property', 'properties')}` : ''
  return [isObject(schema) ? `schema${of}` : 'no schema', ...flagsOn(entry)].join(', ')
}

function indexWords(entry: unknown): string {
  const texts = [memberOf(entry, 'pointer'), memberOf(entry, 'valueType')].filter((value) => typeof value === 'string')
  return [...texts, ...flagsOn(entry)].join(', ')
}

/** The names of the flags that are on. */
function flagsOn(entry: unknown): string[] {
  return Object.entries(objectOf(entry)).flatMap(([name, value]) => (value === true ? [name] : []))
}

const objectOf = (value: unknown) => (isObject(value) ? value : {})
const memberOf = (value: unknown, name: string) => own(objectOf(value), name)
