import { ListdError } from '#client/src/error.ts'
import { client } from '#services/dashboard/api/client.ts'
import { secondsToWait } from '#services/dashboard/api/errors.ts'
import { conditionsOf, pageOptions, pageSize } from '../view/items-request.ts'
import type { ItemsScope } from '../view/items-scope.ts'
import { type BulkChange, type BulkItem, type ItemOperation, inverseOf, operationOf } from './bulk-change.ts'
import type { BulkStep } from './bulk-run.ts'

/** The items to change: those of the page with these ids, or (null) all items of the view, on all pages. */
export type BulkTarget = { ids: readonly string[] | null; total: number; isAtLeast: boolean }

/** The items of a target, page by page, as they are now. */
export function itemsOf(scope: ItemsScope, { ids }: BulkTarget, signal: AbortSignal): AsyncIterable<BulkItem[]> {
  return ids ? pickedItems(scope, ids, signal) : matchingItems(scope, signal)
}

/** Reads the newest first, so that items created meanwhile do not prolong the run. */
async function* matchingItems({ name, view, askable }: ItemsScope, signal: AbortSignal): AsyncGenerator<BulkItem[]> {
  const where = conditionsOf(view, askable.fields)
  const pages = client.list(name).items({ where, limit: pageSize, includeData: false, signal })
  let cursor: string | null = ''
  while (cursor !== null) {
    const { data, next }: { data: BulkItem[]; next: string | null } = await patiently(
      () => pages.after(cursor ?? ''),
      signal,
    )
    yield data
    cursor = next
  }
}

/** Retries while the server is busy and says when to retry. */
async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      const seconds = error instanceof ListdError && !signal.aborted ? secondsToWait(error) : null
      if (seconds === null) throw error
      await pause(seconds, signal)
    }
  }
}

/** Reads the page again. Items that are no longer on it are read one by one. */
async function* pickedItems(
  scope: ItemsScope,
  ids: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<BulkItem[]> {
  const { name, view, askable } = scope
  const list = client.list(name)
  const options = { ...pageOptions(view, askable.fields), includeData: false, signal }
  const { data } = await patiently(() => list.items(options).after(view.after ?? ''), signal)
  const found: BulkItem[] = data.filter(({ id }) => ids.includes(id))
  for (const id of ids) {
    if (!found.some((item) => item.id === id))
      found.push(await list.get(id, { includeData: false, signal }).catch(goneItem(id)))
  }
  yield found
}

const goneItem =
  (id: string) =>
  (error: unknown): BulkItem => {
    if (!(error instanceof ListdError) || error.status !== 404) throw error
    return { id, tags: [], description: '', readonly: false, activated: true, locked: false, isGone: true }
  }

/** Largest number of items that can be undone. */
export const mostUndone = 10_000

/** The data that undo a change: operations that restore fields, and the ids of deleted items. */
export type BulkUndo = { inverses: ItemOperation[]; deleted: string[] }

/** The steps of a change, and the data that undo those that were done. */
export function stepsOf(change: BulkChange, items: AsyncIterable<BulkItem[]>) {
  const undo: BulkUndo = { inverses: [], deleted: [] }
  let before = new Map<string, BulkItem>()
  async function* parts(): AsyncGenerator<(BulkStep | null)[]> {
    for await (const part of items) {
      before = new Map(part.map((item) => [item.id, item]))
      yield part.map((item) => {
        const operation = operationOf(change, item)
        return operation && { operation }
      })
    }
  }
  const onDone = (steps: readonly BulkStep[]) => {
    for (const { operation } of steps) {
      const item = operation.op === 'create' ? undefined : before.get(operation.item)
      if (!item || undo.inverses.length + undo.deleted.length > mostUndone) continue
      const inverse = inverseOf(operation, item)
      if (inverse) undo.inverses.push(inverse)
      else undo.deleted.push(item.id)
    }
  }
  return { parts: parts(), onDone, undo }
}

/** Sends operations as one batch. With the same key they are performed only once. */
export function sendBatch(list: string, operations: readonly ItemOperation[], key: string): Promise<unknown> {
  return client.list(list).batch(operations, { idempotencyKey: key, includeData: false })
}

/** Waits until the time is over or the signal is aborted. */
export function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
