import { AppError } from '#shared/errors.ts'
import { JsonEdit } from '#shared/json/edit/edit.ts'
import { mergePatch } from '#shared/json/edit/merge.ts'
import { applyPatch, PatchFailed } from '#shared/json/edit/patch.ts'
import { maxValueBytes } from '../../expression/bounds.ts'
import { isValueObject, kindNames, kindOf, type Value } from '../../expression/value.ts'
import { preservePointers, removePointers } from '../../item/guard.ts'
import { guardedOperationErrors, withBlindReplaces } from '../../item/guard-patch.ts'
import { readPatch } from '../../item/patch-operations.ts'
import type { NodeOf } from '../language/flow.ts'
import type { FlowExpression } from '../language/properties.ts'
import { FlowFailure, wrongValue } from './failure.ts'
import type { RunState } from './run-state.ts'
import { jsonOf, type Visit } from './visit.ts'

type Present = { before: string; guards: readonly string[] }

/**
 * The data of an item as an `update-item` node changes it. It changes what the node sees. A guarded value that it does not see it sets
 * where it names it; otherwise the value stays where its parent does, as in a write of a token.
 * @throws FlowFailure
 */
export function changedData(visit: Visit, node: NodeOf<'update-item'>, { before, guards }: Present): string {
  const seen = removePointers(before, guards)
  const changed = changedText(visit, node, { seen, guards })
  return newData(visit.state, preservePointers(before, changed, guards))
}

/** @throws FlowFailure when it exceeds the bounds of values */
export function newData(state: RunState, text: string): string {
  state.assertWithin(JSON.parse(text), 'the data of the item')
  return text
}

function changedText(
  visit: Visit,
  { merge, patch, data }: NodeOf<'update-item'>,
  { seen, guards }: { seen: string; guards: readonly string[] },
): string {
  if (merge) return mergePatch(seen, jsonOf(objectOrFail(merge, visit.value('merge', merge)), merge))
  if (patch) return patched(visit, patch, { seen, guards })
  return data ? visit.json('data', data) : seen
}

function objectOrFail(merge: FlowExpression, value: Value): Value {
  if (isValueObject(value)) return value
  throw wrongValue(merge, `merge must be an object, not ${kindNames[kindOf(value)]}`)
}

function patched(
  visit: Visit,
  patch: FlowExpression,
  { seen, guards }: { seen: string; guards: readonly string[] },
): string {
  const value = visit.value('patch', patch)
  const read = readPatch(value, jsonOf(value, patch))
  const context = { data: new JsonEdit(seen), at: '', guards }
  const errors = 'errors' in read ? read.errors : guardedOperationErrors(read.operations, context)
  const [first] = errors
  if ('errors' in read || first)
    throw wrongValue(patch, `patch ${[first?.path, first?.message].filter(Boolean).join(' ')}`)
  try {
    return applyPatch(seen, withBlindReplaces(read.operations, context), { maxLength: maxValueBytes })
  } catch (error) {
    if (!(error instanceof PatchFailed)) throw error
    throw patchFailure(error)
  }
}

/** As for a patch of a request. */
function patchFailure({ operation, message }: PatchFailed): FlowFailure {
  const { name, status } = new AppError('ITEM_PATCH_FAILED')
  return new FlowFailure({
    code: name,
    status,
    message: `operation ${operation} of the patch cannot be applied: ${message}`,
  })
}
