import { hasFormat, type TextFormat, textFormats } from './text-format.ts'

export type Kind = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null'

/** The values observed at one place in all samples. */
export type Observed = {
  /** Values at this place, and how many of each kind. */
  count: number
  kinds: Map<Kind, number>
  texts: ObservedTexts
  /** Numbers, each by its text, and how often it was there. */
  numbers: Map<string, number>
  /** What objects have, in the order in which it was seen first. */
  properties: Map<string, Observed>
  /** Objects have so many different properties that their names are data. */
  hasManyProperties: boolean
  /** What all arrays hold together; null: none holds anything, or they are too deep. */
  elements: Observed | null
}

export type ObservedTexts = {
  /** The short ones, and how often each was there. */
  short: Map<string, number>
  longest: number
  /** White space between words, in all of them together. */
  gaps: number
  hasLines: boolean
  /** What all of them are. */
  formats: readonly TextFormat[]
}

/** Levels of objects and arrays that are looked into, properties of one object, and places in all. */
const maxDepth = 8
const maxProperties = 200
const maxPlaces = 2_000
/** Texts up to this length may be names of things. Longer names of properties are data. */
export const maxShortLength = 100

/**
 * Observes samples one after the other.
 * @param samples JSON texts without errors, such as the items of `readSamples`
 */
export function observeSamples(samples: Iterable<string>): Observed {
  const places = { left: maxPlaces }
  const root = newObserved()
  for (const sample of samples) observe(root, parseWithNumbers(sample), places, 0)
  return root
}

function newObserved(): Observed {
  return {
    count: 0,
    kinds: new Map(),
    texts: { short: new Map(), longest: 0, gaps: 0, hasLines: false, formats: textFormats },
    numbers: new Map(),
    properties: new Map(),
    hasManyProperties: false,
    elements: null,
  }
}

type Places = { left: number }

function observe(seen: Observed, value: unknown, places: Places, depth: number): void {
  const number = numberOf(value)
  const kind = number === null ? kindOf(value) : /^-?\d+$/.test(number) ? 'integer' : 'number'
  seen.count++
  count(seen.kinds, kind)
  if (number !== null) count(seen.numbers, number)
  else if (typeof value === 'string') observeText(seen.texts, value)
  else if (Array.isArray(value)) for (const element of value) observeElement(seen, element, places, depth)
  else if (kind === 'object') observeObject(seen, value as object, places, depth)
}

/** A place that is not looked into stays so: what is known of a place is known of all its values. */
function observeElement(seen: Observed, element: unknown, places: Places, depth: number): void {
  seen.elements ??= depth < maxDepth && places.left-- > 0 ? newObserved() : null
  if (seen.elements) observe(seen.elements, element, places, depth + 1)
}

function observeObject(seen: Observed, object: object, places: Places, depth: number): void {
  for (const [name, value] of Object.entries(object)) {
    const property = propertyOf(seen, name, places, depth)
    if (property) observe(property, value, places, depth + 1)
  }
}

function propertyOf(seen: Observed, name: string, places: Places, depth: number): Observed | null {
  const known = seen.properties.get(name)
  if (known || seen.hasManyProperties || depth === maxDepth) return known ?? null
  if (seen.properties.size === maxProperties || name.length > maxShortLength) {
    seen.hasManyProperties = true
    seen.properties.clear()
  } else if (places.left-- > 0) {
    const property = newObserved()
    seen.properties.set(name, property)
    return property
  }
  return null
}

function observeText(texts: ObservedTexts, text: string): void {
  texts.longest = Math.max(texts.longest, text.length)
  texts.gaps += text.match(/\S\s+(?=\S)/g)?.length ?? 0
  texts.hasLines ||= text.includes('\n')
  texts.formats = texts.formats.filter((format) => hasFormat(text, format))
  if (text.length <= maxShortLength) count(texts.short, text)
}

function kindOf(value: unknown): Kind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as 'string' | 'boolean' | 'object'
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** `JSON.parse` in which each number is a text after the mark: a double would lose digits, and whether it was written as 1.0. */
function parseWithNumbers(text: string): unknown {
  let inString = false
  const marked = text.replace(tokens, (found) => {
    if (found === '"') inString = !inString
    return inString || !/\d$/.test(found) ? found : `"${mark}${found}"`
  })
  return JSON.parse(marked)
}

/** Where strings begin and end, what may stand before a quote in one, and numbers. */
const tokens = /"|\\.|-?\d[\d.eE+-]*/g
/** Begins a string that stands for a number: half of a surrogate pair, which begins no other. */
const mark = '\ud800'

function numberOf(value: unknown): string | null {
  return typeof value === 'string' && value.startsWith(mark) ? value.slice(mark.length) : null
}
