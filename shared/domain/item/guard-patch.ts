import { find, type JsonEdit } from '#shared/json/edit/edit.ts'
import type { PatchOperation } from '#shared/json/edit/patch.ts'
import { parsePointer } from '#shared/json/pointer.ts'
import type { FieldError } from '../../errors.ts'
import { isGuarded } from './guard.ts'

/** The target of a patch: the part of an item's data that the caller sees, the pointer of the patched value, and the guards that hide the rest. */
type PatchedData = { data: JsonEdit; at: string; guards: readonly string[] }

/**
 * The errors of operations that would reveal a guarded value, or move one to where it is visible (contract 2.2): that test, copy,
 * move or read it, an ancestor or a descendant of it, or that shift the elements of an array on its path.
 * @param operations their pointers are relative to `at`
 * @returns paths such as `0.from`: the position of the operation and its member
 */
export function guardedOperationErrors(operations: readonly PatchOperation[], patched: PatchedData): FieldError[] {
  if (patched.guards.length === 0) return []
  return operations.flatMap((operation, n) => [
    ...('from' in operation && readsGuarded(operation.from, patched) ? [error(n, 'from')] : []),
    ...(revealsGuarded(operation, patched) ? [error(n, 'path')] : []),
  ])
}

function error(position: number, member: string): FieldError {
  return { path: `${position}.${member}`, message: 'names a value that you cannot see, or would move one' }
}

function readsGuarded(from: string, { data, at, guards }: PatchedData): boolean {
  const pointer = at + from
  return isRelated(pointer, guards) || shiftsGuarded(data, pointer, guards)
}

function revealsGuarded({ op, path }: PatchOperation, { data, at, guards }: PatchedData): boolean {
  const pointer = at + path
  if (op === 'test') return isRelated(pointer, guards)
  // Writing the guarded value itself requires no existing value; removing it would reveal whether it exists.
  if (op === 'replace') return isInside(pointer, guards)
  if (shiftsGuarded(data, pointer, guards)) return true
  return op === 'remove' ? isGuarded(pointer, guards) : isInside(pointer, guards)
}

/**
 * The operations, with `add` instead of `replace` for guarded values: `add` succeeds whether or not the value exists, so it does not reveal
 * that. For an element of an array, `replace` stays, because arrays show their positions.
 */
export function withBlindReplaces(operations: readonly PatchOperation[], patched: PatchedData): PatchOperation[] {
  const { data, at, guards } = patched
  return operations.map((operation) => {
    if (operation.op !== 'replace' || !guards.includes(at + operation.path)) return operation
    return isArray(data, parentOf(at + operation.path)) ? operation : { ...operation, op: 'add' }
  })
}

/** Whether adding or removing an element here would shift elements with guarded values. */
export function shiftsGuarded(data: JsonEdit, pointer: string, guards: readonly string[]): boolean {
  if (pointer === '') return false
  const parent = parentOf(pointer)
  return guards.some((guard) => guard.startsWith(`${parent}/`)) && isArray(data, parent)
}

/** Whether a pointer names something inside a guarded value. */
function isInside(pointer: string, guards: readonly string[]): boolean {
  return guards.some((guard) => pointer.startsWith(`${guard}/`))
}

function isRelated(pointer: string, guards: readonly string[]): boolean {
  return isGuarded(pointer, guards) || guards.some((guard) => guard.startsWith(`${pointer}/`))
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'))
}

function isArray(data: JsonEdit, pointer: string): boolean {
  return find(data, parsePointer(pointer) ?? [])?.kind === 'array'
}
