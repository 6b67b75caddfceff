import { lengths, maxPatchOperations } from '#shared/domain/limits.ts'
import { isLongerThan } from '#shared/domain/text/code-points.ts'
import { type FieldError, validationFailed } from '#shared/errors.ts'
import { isObject } from '#shared/json/is-object.ts'
import { arrayElements, objectMembers } from '#shared/json/offsets.ts'
import type { PatchOperation } from '#shared/json/patch.ts'
import { parsePointer } from '#shared/json/pointer.ts'
import { throwIfInvalid } from '../../../http/validation.ts'
import { arrayOf, oneOf, text } from '../../../schemas/response-schemas.ts'

/**
 * Reads the body of a patch (RFC 6902): an array of operations. Members that an operation does not have are ignored, as the
 * RFC demands.
 * @param body its parsed value, only to be validated
 * @param text its compact source text, of which the operations keep their values
 * @throws VALIDATION_FAILED with all errors; paths such as `0.path`
 */
export function parsePatch(body: unknown, text: string): PatchOperation[] {
  if (!Array.isArray(body)) throw validationFailed([{ path: '', message: 'must be an array of operations (RFC 6902)' }])
  if (body.length > maxPatchOperations) {
    throw validationFailed([{ path: '', message: `must hold at most ${maxPatchOperations} operations` }])
  }
  const operations: readonly unknown[] = body
  const errors = operations.flatMap((operation, n) =>
    operationErrors(operation).map(({ path, message }) => ({ path: join(n, path), message })),
  )
  throwIfInvalid(errors)
  return arrayElements(text, 0).flatMap(({ start }, n) => toOperation(operations[n], text, start))
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

/** What an operation has beside its path, and how it is made of what was sent. */
type Kind = {
  has: 'value' | 'from' | 'nothing'
  make(sent: { path: string; from: string; value: string }): PatchOperation
}

const kinds: ReadonlyMap<string, Kind> = new Map<PatchOperation['op'], Kind>([
  ['add', { has: 'value', make: ({ path, value }) => ({ op: 'add', path, value }) }],
  ['remove', { has: 'nothing', make: ({ path }) => ({ op: 'remove', path }) }],
  ['replace', { has: 'value', make: ({ path, value }) => ({ op: 'replace', path, value }) }],
  ['move', { has: 'from', make: ({ path, from }) => ({ op: 'move', path, from }) }],
  ['copy', { has: 'from', make: ({ path, from }) => ({ op: 'copy', path, from }) }],
  ['test', { has: 'value', make: ({ path, value }) => ({ op: 'test', path, value }) }],
])

const kindOf = (op: unknown) => (typeof op === 'string' ? kinds.get(op) : undefined)

const pointer = { ...text, format: 'json-pointer', maxLength: lengths.pointer }

/** What `parsePatch` accepts, for the API's description. */
export const patchSchema = {
  title: 'JsonPatch',
  description: 'The operations of a JSON Patch (RFC 6902), in their order.',
  ...arrayOf({
    type: 'object',
    properties: {
      op: { ...oneOf([...kinds.keys()]), description: 'The kind of operation.' },
      path: {
        ...pointer,
        description: 'The place that the operation changes or tests, from the value that is patched.',
      },
      from: { ...pointer, description: 'Of `move` and `copy`: the place of the value that they take.' },
      value: { description: 'Of `add`, `replace` and `test`: any JSON value.' },
    },
    required: ['op', 'path'],
  }),
  maxItems: maxPatchOperations,
}

/** The errors of a JSON Pointer. @param path where it was sent */
export function pointerErrors(path: string, pointer: unknown): FieldError[] {
  if (typeof pointer !== 'string' || parsePointer(pointer) === null) {
    return [{ path, message: 'must be a JSON Pointer (RFC 6901), such as /a/0' }]
  }
  return isLongerThan(pointer, lengths.pointer)
    ? [{ path, message: `must be at most ${lengths.pointer} characters long` }]
    : []
}

/** An operation that was found valid. */
function toOperation(operation: unknown, text: string, start: number): PatchOperation[] {
  const { op, path, from } = isObject(operation) ? operation : {}
  const kind = kindOf(op)
  const value = kind?.has === 'value' ? valueText(text, start) : ''
  return kind ? [kind.make({ path: String(path), from: String(from), value })] : []
}

function valueText(text: string, start: number): string {
  const member = objectMembers(text, start).find(({ key }) => key === 'value')
  return member ? text.slice(member.value, member.end) : ''
}
