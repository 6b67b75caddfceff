import { parsePointer } from '../pointer.ts'
import { find, JsonEdit } from './edit.ts'
import { applyPatch } from './patch.ts'

// One value of a JSON text, by its pointer. Everything else keeps its text.

const anyLength = { maxLength: Number.POSITIVE_INFINITY }

/** The text of the value at a pointer; null when there is none. */
export function findAt(text: string, pointer: string): string | null {
  const tokens = parsePointer(pointer)
  return (tokens && find(new JsonEdit(text), tokens)?.print()) ?? null
}

/**
 * The text with a value at a pointer: in place of the one that is there, or as a new member of its object. In an array `-`
 * and the position after the last element append.
 * @throws PatchFailed when there is nothing that could hold it
 */
export function setAt(text: string, pointer: string, value: string): string {
  const op = findAt(text, pointer) === null ? 'add' : 'replace'
  return applyPatch(text, [{ op, path: pointer, value }], anyLength)
}

/**
 * The text without the value at a pointer.
 * @throws PatchFailed when there is none
 */
export function removeAt(text: string, pointer: string): string {
  return applyPatch(text, [{ op: 'remove', path: pointer }], anyLength)
}
