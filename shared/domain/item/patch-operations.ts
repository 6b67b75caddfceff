import type { FieldError } from '#shared/errors.ts'
import type { PatchOperation } from '#shared/json/edit/patch.ts'
import { isObject } from '#shared/json/is-object.ts'
import { parsePointer } from '#shared/json/pointer.ts'
import { arrayElements, objectMembers } from '#shared/json/text/offsets.ts'
import { lengths, maxErrors, maxPatchOperations } from '../limits.ts'
import { isLongerThan } from '../text/code-points.ts'

/**
 * Reads a patch (RFC 6902): an array of operations. Members that an operation does not have are ignored, as the RFC requires.
 * @param patch its parsed value, only to be validated
 * @param text its compact source text, from which the operations copy their values
 * @returns the operations, or all errors; paths such as `0.path`
 */
export function readPatch(
  patch: unknown,
  text: string,
): { operations: PatchOperation[] } | { errors: readonly FieldError[] } {
  if (!Array.isArray(patch)) return { errors: [{ path: '', message: 'must be an array of operations (RFC 6902)' }] }
  if (patch.length > maxPatchOperations)
    return { errors: [{ path: '', message: `must have at most ${maxPatchOperations} operations` }] }
  const sent: readonly unknown[] = patch
  const errors = sent.flatMap((operation, n) =>
    operationErrors(operation).map(({ path, message }) => ({ path: join(n, path), message })),
  )
  if (errors.length > 0) return { errors: errors.slice(0, maxErrors) }
  return { operations: arrayElements(text, 0).flatMap(({ start }, n) => toOperation(sent[n], text, start)) }
}

const join = (position: number, path: string) => (path === '' ? `${position}` : `${position}.${path}`)

function operationErrors(operation: unknown): FieldError[] {
  if (!isObject(operation)) return [{ path: '', message: 'must be an operation' }]
  const { op, path, from } = operation
  const kind = kindOf(op)
  return [
    ...(kind ? [] : [{ path: 'op', message: `must be one of ${[...kinds.keys()].join(', ')}` }]),
    ...pointerErrors('path', path),
    ...(kind?.has === 'from' ? pointerErrors('from', from) : []),
    ...(kind?.has === 'value' && !Object.hasOwn(operation, 'value') ? [{ path: 'value', message: 'is required' }] : []),
  ]
}

/** The members of an operation in addition to its path, and the function that builds it from what was sent. */
type Kind = {
  has: 'value' | 'from' | 'nothing'
  create(sent: { path: string; from: string; value: string }): PatchOperation
}

const kinds: ReadonlyMap<string, Kind> = new Map<PatchOperation['op'], Kind>([
  ['add', { has: 'value', create: ({ path, value }) => ({ op: 'add', path, value }) }],
  ['remove', { has: 'nothing', create: ({ path }) => ({ op: 'remove', path }) }],
  ['replace', { has: 'value', create: ({ path, value }) => ({ op: 'replace', path, value }) }],
  ['move', { has: 'from', create: ({ path, from }) => ({ op: 'move', path, from }) }],
  ['copy', { has: 'from', create: ({ path, from }) => ({ op: 'copy', path, from }) }],
  ['test', { has: 'value', create: ({ path, value }) => ({ op: 'test', path, value }) }],
])

const kindOf = (op: unknown) => (typeof op === 'string' ? kinds.get(op) : undefined)

/** The names of operations. */
export const patchOperationNames: readonly string[] = [...kinds.keys()]

/** The errors of a JSON Pointer. @param path where it was sent */
export function pointerErrors(path: string, pointer: unknown): FieldError[] {
  if (typeof pointer !== 'string' || parsePointer(pointer) === null) {
    return [{ path, message: 'must be a JSON Pointer (RFC 6901), such as /a/0' }]
  }
  return isLongerThan(pointer, lengths.pointer)
    ? [{ path, message: `must be at most ${lengths.pointer} characters long` }]
    : []
}

/** Builds an operation that has been validated. */
function toOperation(operation: unknown, text: string, start: number): PatchOperation[] {
  const { op, path, from } = isObject(operation) ? operation : {}
  const kind = kindOf(op)
  const value = kind?.has === 'value' ? valueText(text, start) : ''
  return kind ? [kind.create({ path: String(path), from: String(from), value })] : []
}

function valueText(text: string, start: number): string {
  const member = objectMembers(text, start).find(({ key }) => key === 'value')
  return member ? text.slice(member.value, member.end) : ''
}
