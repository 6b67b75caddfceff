import { AppError } from '#shared/errors.ts'
import { JsonEdit } from '#shared/json/edit/edit.ts'
import { mergePatch } from '#shared/json/edit/merge.ts'
import { applyPatch, PatchFailed } from '#shared/json/edit/patch.ts'
import { maxValueBytes } from '../../expression/bounds.ts'
import type { Value } from '../../expression/value.ts'
import { isValueObject, kindNames, kindOf } from '../../expression/value.ts'
import { preservePointers, removePointers } from '../../item/guard.ts'
import { guardedOperationErrors, withBlindReplaces } from '../../item/guard-patch.ts'
import { readPatch } from '../../item/patch-operations.ts'
import { utf8Length } from '../../text/utf8-length.ts'
import type { NodeOf } from '../language/flow.ts'
import type { FlowExpression } from '../language/properties.ts'
import type { FlowAnswer, FlowAsk } from './driver.ts'
import { FlowFailure, wrongValue } from './failure.ts'
import type { RunState } from './run-state.ts'
import type { Visit } from './visit.ts'
import { jsonOf } from './visit.ts'

type Present = { before: string; guards: readonly string[] }

/** New data of an item, and the bytes that the node sees of it. */
type Changed = { data: string; sentBytes: number }

/**
 * The data of an item after an `update-item` node. The node changes the values that it sees. It can set a guarded value that it does not
 * see by naming it; otherwise the value is kept if its parent is kept, as in a write with a token. The bounds of values apply only to what
 * the node sees and sets: including the rest would reveal its length.
 * @throws FlowFailure
 */
export function* changedData(
  visit: Visit,
  node: NodeOf<'update-item'>,
  { before, guards }: Present,
): Generator<FlowAsk, Changed, FlowAnswer> {
  const seen = removePointers(before, guards)
  visit.state.readJson(seen)
  yield* visit.state.pause()
  const changed = changedText(visit, node, { seen, guards })
  visit.state.worked(changed.length)
  yield* visit.state.pause()
  newData(visit.state, changed)
  return { data: preservePointers(before, changed, guards), sentBytes: utf8Length(changed) }
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
  if (merge) return mergePatch(seen, textOf(visit, objectOrFail(merge, visit.value('merge', merge)), merge))
  if (patch) return patched(visit, patch, { seen, guards })
  return data ? visit.json('data', data) : seen
}

function textOf({ state }: Visit, value: Value, expression: FlowExpression): string {
  const text = jsonOf(value, expression)
  state.readJson(text)
  return text
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
  const read = readPatch(value, textOf(visit, value, patch))
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

/** The failure of a patch, as for a request. */
function patchFailure({ operation, message }: PatchFailed): FlowFailure {
  const { name, status } = new AppError('ITEM_PATCH_FAILED')
  return new FlowFailure({
    code: name,
    status,
    message: `operation ${operation} of the patch cannot be applied: ${message}`,
  })
}
