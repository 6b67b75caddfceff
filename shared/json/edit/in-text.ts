import { isObject } from '../is-object.ts'
import { isSpace } from '../text/layout.ts'
import { type Part, type Place, partsAt } from '../text/place.ts'

// Edits of hand-written JSON text: every character outside of the edit is kept, and new text has the layout of its surroundings.

/** The text with another one in a place. */
export function replaceIn(text: string, { from, to }: Place, insert: string): string {
  return text.slice(0, from) + insert + text.slice(to)
}

/**
 * The text with one more element in an array: after its first `n` elements.
 * @param array where it stands in the text, which is valid JSON
 * @param value what the element is; an object that stands among broken ones is broken too
 */
export function insertElement(text: string, array: Place, n: number, value: unknown): string {
  const elements = partsAt(text, array.from)
  const next = elements[n]
  const previous = elements[n - 1]
  if (!previous && !next) return replaceIn(text, array, onlyElement(text, array, value))
  const model = (previous ?? next) as Part
  const gap = gapOf(text, array, elements)
  const element = writtenAs(value, { like: text.slice(model.from, model.to), indent: indentOf(gap), text })
  if (previous) return replaceIn(text, { from: previous.to, to: previous.to }, `,${gap}${element}`)
  return replaceIn(text, { from: model.from, to: model.from }, `${element},${gap}`)
}

/** The text without an element of an array and the comma that separated it. */
export function removeElement(text: string, array: Place, n: number): string {
  const elements = partsAt(text, array.from)
  const [previous, element, next] = [elements[n - 1], elements[n], elements[n + 1]]
  if (!element) return text
  if (previous) return replaceIn(text, { from: previous.to, to: element.to }, '')
  if (next) return replaceIn(text, { from: element.from, to: next.from }, '')
  return replaceIn(text, array, '[]')
}

/** The text with an element of an array moved to its beginning. */
export function moveToFront(text: string, array: Place, n: number): string {
  const elements = partsAt(text, array.from)
  const [first, moved] = [elements[0], elements[n]]
  if (!first || !moved || n === 0) return text
  const gap = gapOf(text, array, elements)
  return replaceIn(
    removeElement(text, array, n),
    { from: first.from, to: first.from },
    `${text.slice(moved.from, moved.to)},${gap}`,
  )
}

/** The text with one more member in an object, after another one of it, or at its end. The object has members. */
export function addMember(
  text: string,
  object: Place,
  { key, value, behind }: { key: string; value: unknown; behind: string },
): string {
  const members = partsAt(text, object.from)
  const before = members.findLast((one) => one.key === behind) ?? members.at(-1)
  if (!before) return text
  const colon = /:\s*$/.exec(text.slice(before.start, before.from))?.[0] ?? ': '
  const gap = gapOf(text, object, members)
  const indent = indentOf(gap)
  const written = writtenAs(value, { like: text.slice(before.from, before.to), indent, text })
  return replaceIn(text, { from: before.to, to: before.to }, `,${gap}${JSON.stringify(key)}${colon}${written}`)
}

/** The white space between two parts, after the comma; of a single part, before it. */
function gapOf(text: string, around: Place, [first, second]: readonly Part[]): string {
  if (first && second) return spaceBehind(text, text.indexOf(',', first.to) + 1)
  const gap = spaceBehind(text, around.from + 1)
  // Parts on one line are separated by a space, if the text has spaces after colons.
  return gap === '' && isSpaced(text) ? ' ' : gap
}

function spaceBehind(text: string, at: number): string {
  let end = at
  while (isSpace(text.charCodeAt(end))) end++
  return text.slice(at, end)
}

/** The white space at the beginning of the line that a gap ends in; null: it breaks no line. */
function indentOf(gap: string): string | null {
  const at = gap.lastIndexOf('\n')
  return at < 0 ? null : gap.slice(at + 1)
}

/** The first element of an array: in a line of its own where the text has lines. */
function onlyElement(text: string, { from }: Place, value: unknown): string {
  const lineFrom = text.lastIndexOf('\n', from) + 1
  if (!text.includes('\n')) return `[${writtenAs(value, { like: '', indent: null, text })}]`
  const outer = spaceBehind(text, lineFrom)
  const indent = outer + unitOf(text)
  return `[\n${indent}${writtenAs(value, { like: '', indent, text })}\n${outer}]`
}

/** By how much a level is indented. */
function unitOf(text: string): string {
  return indentOfFirst(text) ?? '  '
}

/** The indent of the first line that has one. */
function indentOfFirst(text: string): string | undefined {
  return /\n([ \t]+)\S/.exec(text)?.[1]
}

/** Whether there is a space after colons, as people write it. */
function isSpaced(text: string): boolean {
  return text.includes('": ') || !text.includes('":')
}

type Around = { like: string; indent: string | null; text: string }

/** A value as its neighbours are written: `like` is one of them, `indent` that of its line. */
function writtenAs(value: unknown, { like, indent, text }: Around): string {
  if (indent !== null && like.startsWith('{') && like.includes('\n') && isObject(value)) {
    const inner = indentOfFirst(like) ?? indent + unitOf(text)
    const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${inLine(one, true)}`)
    return `{\n${inner}${members.join(`,\n${inner}`)}\n${indent}}`
  }
  return inLine(value, isSpaced(text))
}

function inLine(value: unknown, spaced: boolean): string {
  const comma = spaced ? ', ' : ','
  if (Array.isArray(value)) return `[${value.map((one) => inLine(one, spaced)).join(comma)}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}:${spaced ? ' ' : ''}${inLine(one, spaced)}`,
  )
  return spaced && members.length > 0 ? `{ ${members.join(comma)} }` : `{${members.join(comma)}}`
}
