import { type PointerTree, pointerTree } from '#shared/json/pointer-tree.ts'
import { arrayElements, objectMembers } from '#shared/json/text/offsets.ts'
import type { DataError } from '#shared/json-schema/errors.ts'
import { utf8Length } from '../text/utf8-length.ts'
import type { Item } from './item.ts'

/**
 * Guarded values in the text of an item's data (contract 2.2, "Guard indexes"). Everything else keeps its text: order,
 * numbers and escapes. Texts are compact, valid JSON, as they are stored.
 */

/**
 * The text without the guarded values and everything below them. A member of an object is removed with its key; an element
 * of an array becomes null, so that the pointers of later elements stay valid; the root becomes null.
 */
export function removePointers(text: string, pointers: readonly string[]): string {
  if (pointers.length === 0) return text
  const guarded = pointerTree(pointers)
  return guarded === 'whole' ? 'null' : cut(text, 0, guarded)
}

/** An item without the values at these pointers, and with the `size` of the rest: the full size would reveal their length. */
export function withoutValuesAt(item: Item, pointers: readonly string[]): Item {
  if (pointers.length === 0) return item
  const data = removePointers(item.data, pointers)
  return { ...item, data, size: utf8Length(data) }
}

/** The errors of an order by size, and of a condition on it, where sizes are hidden: pages would reveal the sizes of hidden values. */
export function hiddenSize(from: 'tokens' | 'nodes that are not guarded'): { order: string; condition: string } {
  const why = `for ${from} where the list has guard indexes`
  return { order: `cannot be size ${why}`, condition: `cannot be used ${why}` }
}

/**
 * The text of a replacement in which omitted guarded values are restored after the same neighbors, if the replacement still has their
 * parent object. In an array, null represents an omitted value, as in `removePointers`.
 */
export function preservePointers(before: string, after: string, pointers: readonly string[]): string {
  if (pointers.length === 0) return after
  const guarded = pointerTree(pointers)
  return guarded === 'whole' ? after : keep({ text: before, at: 0 }, { text: after, at: 0, end: after.length }, guarded)
}

/** Whether a pointer names a guarded value or something inside one. */
export function isGuarded(pointer: string, guards: readonly string[]): boolean {
  return guards.some((guard) => pointer === guard || pointer.startsWith(`${guard}/`))
}

/** The errors of data for a caller that does not see the values at these pointers. For hidden values, it only learns that they have errors. */
export function visibleErrors(errors: readonly DataError[], hidden: readonly string[]): readonly DataError[] {
  const visible = errors.filter(({ pointer }) => !isGuarded(pointer, hidden))
  return visible.length < errors.length ? [...visible, hiddenError] : visible
}

/** The error that replaces all errors of hidden values. */
export const hiddenError: DataError = {
  pointer: '',
  path: 'data',
  message: 'A value that you cannot see does not match the schema.',
}

function cut(text: string, at: number, guarded: PointerTree): string {
  if (text[at] === '{') {
    const kept = objectMembers(text, at).filter(({ key }) => guarded.get(key) !== 'whole')
    return `{${kept.map((member) => cutPart(text, member, guarded.get(member.key))).join(',')}}`
  }
  if (text[at] === '[') {
    const parts = arrayElements(text, at).map(({ start, end }, position) =>
      cutPart(text, { start, value: start, end }, guarded.get(String(position))),
    )
    return `[${parts.join(',')}]`
  }
  return text.slice(at)
}

type Part = { start: number; value: number; end: number }

function cutPart(text: string, { start, value, end }: Part, guarded: PointerTree | 'whole' | undefined): string {
  if (guarded === undefined) return text.slice(start, end)
  if (guarded === 'whole') return 'null'
  return text.slice(start, value) + cut(text.slice(value, end), 0, guarded)
}

type Position = { text: string; at: number }
type Span = Position & { end: number }

function keep(before: Position, after: Span, guarded: PointerTree): string {
  const kind = after.text[after.at]
  if (kind === before.text[before.at]) {
    if (kind === '{') return keepInObject(before, after, guarded)
    if (kind === '[') return keepInArray(before, after, guarded)
  }
  return after.text.slice(after.at, after.end)
}

function keepInArray(before: Position, after: Span, guarded: PointerTree): string {
  const earlier = arrayElements(before.text, before.at)
  const parts = arrayElements(after.text, after.at).map(({ start, end }, position) => {
    const deeper = guarded.get(String(position))
    const old = earlier[position]
    const sent = after.text.slice(start, end)
    if (!deeper || !old) return sent
    if (deeper === 'whole') return sent === 'null' ? before.text.slice(old.start, old.end) : sent
    return keep({ text: before.text, at: old.start }, { text: after.text, at: start, end }, deeper)
  })
  return `[${parts.join(',')}]`
}

function keepInObject(before: Position, after: Span, guarded: PointerTree): string {
  const earlier = objectMembers(before.text, before.at)
  const later = objectMembers(after.text, after.at)
  const old = new Map(earlier.map((member) => [member.key, member]))
  const omitted = omittedByNeighbor(before.text, earlier, { present: new Set(later.map(({ key }) => key)), guarded })
  const parts = [...(omitted.get(null) ?? [])]
  for (const { key, start, value, end } of later) {
    const deeper = guarded.get(key)
    const previous = old.get(key)
    const text =
      deeper instanceof Map && previous
        ? keep({ text: before.text, at: previous.value }, { text: after.text, at: value, end }, deeper)
        : after.text.slice(value, end)
    parts.push(after.text.slice(start, value) + text, ...(omitted.get(key) ?? []))
  }
  return `{${parts.join(',')}}`
}

/** Guarded members that the later object omits, by the nearest preceding key that is still there. */
function omittedByNeighbor(
  text: string,
  earlier: ReturnType<typeof objectMembers>,
  { present, guarded }: { present: ReadonlySet<string>; guarded: PointerTree },
): Map<string | null, string[]> {
  const omitted = new Map<string | null, string[]>()
  let neighbor: string | null = null
  for (const { key, start, end } of earlier) {
    if (present.has(key)) neighbor = key
    else if (guarded.get(key) === 'whole') {
      const group = omitted.get(neighbor) ?? []
      group.push(text.slice(start, end))
      omitted.set(neighbor, group)
    }
  }
  return omitted
}
