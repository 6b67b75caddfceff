import { decimalForm } from './decimal.ts'

/**
 * `JSON.parse` that loses no digit: a number that a double cannot hold is one of `JSON.rawJSON`, which `JSON.stringify` writes as it
 * was. Linear in the text, and hardly slower than `JSON.parse` without such numbers; a reviver would take fifty times as long.
 * @param text without half of a surrogate pair, as all text of requests is
 */
export function parseExact(text: string): unknown {
  const marked = markInexact(text)
  return marked === null ? JSON.parse(text) : withRawNumbers(JSON.parse(marked))
}

/** A parsed text as doubles, and the numbers of it that no double is, each as it was written, by the object or array that holds it. */
export type InexactJson = {
  /** Holds the whole value under the empty key. */
  holder: { '': unknown }
  texts: ReadonlyMap<object, ReadonlyMap<string, string>>
}

/** Parses a text that has numbers that no double is; null: it has none. As fast as a search for them. */
export function parseInexact(text: string): InexactJson | null {
  const marked = markInexact(text)
  if (marked === null) return null
  const holder = { '': withRawNumbers(JSON.parse(marked)) }
  const texts = new Map<object, Map<string, string>>()
  takeTexts(holder, texts)
  return { holder, texts }
}

function takeTexts(parent: object, texts: Map<object, Map<string, string>>): void {
  const members = parent as Record<string, unknown>
  for (const key of Object.keys(members)) {
    const value = members[key]
    if (isRawNumber(value)) {
      const known = texts.get(parent) ?? new Map<string, string>()
      texts.set(parent, known.set(key, value.rawJSON))
      members[key] = Number(value.rawJSON)
    } else if (typeof value === 'object' && value !== null) takeTexts(value, texts)
  }
}

/** The text with a marked string in place of each number that no double is; null: there is none. */
function markInexact(text: string): string | null {
  if (!mayBeInexact.test(text)) return null
  let inString = false
  const marked = text.replace(tokens, (found) => {
    if (found === '"') inString = !inString
    return inString || !/^[-\d]/.test(found) || isExact(found) ? found : `"${mark}${found}"`
  })
  return marked === text ? null : marked
}

/** Whether it is a number of `parseExact` that no double is. */
export function isRawNumber(value: unknown): value is { rawJSON: string } {
  return runtime.isRawJSON(value)
}

/** A double holds every number of 15 digits without an exponent. What looks like a longer one may also be in a string. */
const mayBeInexact = /\d[\d.]{15}|\d[eE][-+\d]/
/** Where strings begin and end, what may stand before a quote in one, and numbers. */
const tokens = /"|\\.|-?\d[\d.eE+-]*/g
/** Begins a string that stands for a number: half of a surrogate pair, which begins no other. */
const mark = '\ud800'

function isExact(number: string): boolean {
  return /^-?[\d.]{1,15}$/.test(number) || decimalForm(number) === decimalForm(String(Number(number)))
}

function withRawNumbers(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? runtime.rawJSON(value.slice(1)) : value
  if (typeof value !== 'object' || value === null) return value
  const parent = value as Record<string, unknown>
  // An own property: also `__proto__` is set as one.
  for (const key of Object.keys(parent)) parent[key] = withRawNumbers(parent[key])
  return value
}

/** The types of JSON do not declare these yet. */
const runtime = JSON as unknown as { rawJSON(text: string): object; isRawJSON(value: unknown): boolean }
