import { setAt } from '#shared/json/edit/at-pointer.ts'
import { find, JsonEdit, type Member } from '#shared/json/edit/edit.ts'
import { applyPatch } from '#shared/json/edit/patch.ts'
import { childPointer, parsePointer } from '#shared/json/pointer.ts'

// Edits of a form, applied to the text of the data. Everything outside the edited place keeps its bytes.

/**
 * The text with a value at a pointer. A new member is inserted in the order of the schema, so that a member that is cleared and typed
 * again returns to its place.
 * @param text compact, valid JSON
 * @param order the names of the object's members, in the order of the schema
 * @throws PatchFailed when there is no object or array to put it into
 */
export function putAt(text: string, pointer: string, value: string, order: readonly string[] = []): string {
  const tokens = parsePointer(pointer) ?? []
  const name = tokens.pop()
  const root = new JsonEdit(text)
  const holder = find(root, tokens)
  if (name === undefined || holder?.kind !== 'object' || holder.members.has(name)) return setAt(text, pointer, value)
  const place = order.indexOf(name)
  const before = place < 0 ? [] : order.slice(0, place)
  const members = [...holder.members]
  const after = members.findLastIndex(([key]) => before.includes(key))
  // Without an earlier member, it is inserted before the first later one.
  const later = members.findIndex(([key]) => place >= 0 && order.indexOf(key) > place)
  const at = after >= 0 ? after + 1 : later >= 0 ? later : members.length
  const added: [string, Member] = [name, { keyText: JSON.stringify(name), value: new JsonEdit(value) }]
  holder.members.clear()
  for (const [key, member] of members.toSpliced(at, 0, added)) holder.members.set(key, member)
  return root.print()
}

/** The text with a value after the last element of an array. @throws PatchFailed */
export function addElement(text: string, array: string, value: string): string {
  return applyPatch(text, [{ op: 'add', path: childPointer(array, '-'), value }], anyLength)
}

/** The text with an element of an array moved to another position. @throws PatchFailed */
export function moveElement(text: string, array: string, from: number, to: number): string {
  return applyPatch(text, [{ op: 'move', from: childPointer(array, from), path: childPointer(array, to) }], anyLength)
}

const anyLength = { maxLength: Number.POSITIVE_INFINITY }

/**
 * The JSON text of input in a number field: the digits as typed. Input that is not a number becomes a JSON string, so that the schema
 * rejects it.
 */
export function numberText(typed: string): string {
  const text = typed.trim()
  return isNumber.test(text) ? text : JSON.stringify(typed)
}

const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
