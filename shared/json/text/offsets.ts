/** The offsets of the parts of a JSON text, so that a part can be removed or inserted without rewriting the rest. */

/** A member of an object: `text.slice(start, end)` is `"key":value`, `text.slice(value, end)` its value. */
export type MemberSpan = { key: string; start: number; value: number; end: number }

/** An element of an array: `text.slice(start, end)`. */
export type ElementSpan = { start: number; end: number }

/** The members of the object that begins at `at`, in the order of the text. The text is compact, valid JSON, as it is stored. */
export function objectMembers(text: string, at: number): MemberSpan[] {
  const members: MemberSpan[] = []
  for (let next = firstMember(text, at); next; next = memberAfter(text, next)) members.push(next)
  return members
}

/** The same one by one, of a long text. */
export function* eachMember(text: string, at: number): Generator<MemberSpan> {
  for (let next = firstMember(text, at); next; next = memberAfter(text, next)) yield next
}

/** The elements of the array that begins at `at`; the text is compact, valid JSON. */
export function arrayElements(text: string, at: number): ElementSpan[] {
  const elements: ElementSpan[] = []
  for (let next = firstElement(text, at); next; next = elementAfter(text, next)) elements.push(next)
  return elements
}

/** The same one by one, of a long text. */
export function* eachElement(text: string, at: number): Generator<ElementSpan> {
  for (let next = firstElement(text, at); next; next = elementAfter(text, next)) yield next
}

function firstMember(text: string, at: number): MemberSpan | null {
  return text.charCodeAt(at + 1) === quote ? memberAt(text, at + 1) : null
}

function memberAfter(text: string, { end }: MemberSpan): MemberSpan | null {
  return text.charCodeAt(end) === comma ? memberAt(text, end + 1) : null
}

function memberAt(text: string, start: number): MemberSpan {
  const keyEnd = stringEnd(text, start)
  return { key: readKey(text, start, keyEnd), start, value: keyEnd + 1, end: valueEnd(text, keyEnd + 1) }
}

function firstElement(text: string, at: number): ElementSpan | null {
  return text.charCodeAt(at + 1) === closingBracket ? null : { start: at + 1, end: valueEnd(text, at + 1) }
}

function elementAfter(text: string, { end }: ElementSpan): ElementSpan | null {
  return text.charCodeAt(end) === comma ? { start: end + 1, end: valueEnd(text, end + 1) } : null
}

/** A decoded key: `"\\u0061"` is `a`. */
function readKey(text: string, start: number, end: number): string {
  const key = text.slice(start + 1, end - 1)
  return key.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : key
}

/** The end of the value that begins at `at`. */
function valueEnd(text: string, at: number): number {
  let depth = 0
  for (let i = at; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) i = stringEnd(text, i) - 1
    else if (code === openingBrace || code === openingBracket) depth++
    else if (code === closingBrace || code === closingBracket) {
      if (depth === 0) return i
      depth--
    } else if (code === comma && depth === 0) return i
  }
  return text.length
}

/** The end of the string that begins at `at`, its closing quote included; of one that is not closed, the end of the text. */
export function stringEnd(text: string, at: number): number {
  for (let i = text.indexOf('"', at + 1); i !== -1; i = text.indexOf('"', i + 1)) {
    let backslashes = 0
    while (text.charCodeAt(i - 1 - backslashes) === backslash) backslashes++
    if (backslashes % 2 === 0) return i + 1
  }
  return text.length
}

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openingBracket = 0x5b
const closingBracket = 0x5d
const openingBrace = 0x7b
const closingBrace = 0x7d
