import { compact } from '#shared/json/text/layout.ts'
import { eachElement, objectMembers } from '#shared/json/text/offsets.ts'
import { type JsonSyntaxError, readValueAt } from '#shared/json/text/syntax-error.ts'

/** Items as a user provides them: each the compact text of its data, with every number as it was written. */
export type Samples = {
  items: string[]
  /** The property of the one object in the text whose elements the items are; null: they are not from one. */
  from: string | null
  /** The properties of the one object in the text whose elements could be the items. */
  choices: string[]
}

type Options = {
  /** Most nested objects and arrays of an item. */
  maxDepth: number
  /** The property whose elements are the items; null: the object is one itself. Absent: what is likely. */
  from?: string | null | undefined
}

/**
 * The items in a text: the elements of an array, one object, or values one after the other, as NDJSON has them; commas may
 * stand between those. An object that only wraps an array, such as a page of some API, stands for the array's elements.
 * @returns no items for an empty text; or the first error, by its offset in the text
 */
export function readSamples(text: string, { maxDepth, from }: Options): Samples | JsonSyntaxError {
  const values: string[] = []
  for (let at = skip(text, 0); at < text.length; at = skip(text, at)) {
    const read = readValueAt(text, at, maxDepth + 2)
    if ('why' in read) return read
    values.push(compact(text.slice(at, read.end)).toWellFormed())
    at = read.end
  }
  const [only] = values
  if (only === undefined || values.length > 1) return { items: values, from: null, choices: [] }
  if (only.startsWith('[')) return { items: elementsAt(only, 0), from: null, choices: [] }
  return only.startsWith('{') ? fromObject(only, from) : { items: [only], from: null, choices: [] }
}

function skip(text: string, from: number): number {
  between.lastIndex = from
  return from + (between.exec(text)?.[0].length ?? 0)
}

/** The characters allowed between values. */
const between = /[ \t\n\r,\ufeff]*/y

function fromObject(text: string, wanted: string | null | undefined): Samples {
  const members = objectMembers(text, 0)
  const lists = members.filter(({ value }) => text.startsWith('[{', value))
  const choices = [...new Set(lists.map(({ key }) => key))]
  const likely = lists.find(({ key }) => isWrapper(key, members))
  const from = wanted === undefined ? (likely?.key ?? null) : wanted
  const list = lists.find(({ key }) => key === from)
  return list ? { items: elementsAt(text, list.value), from, choices } : { items: [text], from: null, choices }
}

/** Whether an object is hardly an item itself: it has nothing else, or the array has a name that says nothing. */
function isWrapper(key: string, members: readonly unknown[]): boolean {
  return members.length === 1 || isWrapperName(key)
}

/** Whether APIs commonly wrap results in a property with this name. */
export function isWrapperName(key: string): boolean {
  return wrapperNames.has(key.toLowerCase())
}

const wrapperNames = new Set('data items results records rows hits value values entries objects'.split(' '))

function elementsAt(text: string, at: number): string[] {
  return Array.from(eachElement(text, at), ({ start, end }) => text.slice(start, end))
}
