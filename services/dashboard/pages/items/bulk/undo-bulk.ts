import { randomId } from '#client/src/json.ts'
import { client } from '#services/dashboard/api/client.ts'
import { toListdError } from '#services/dashboard/api/errors.ts'
import { announce } from '#services/dashboard/parts/controls/announce.tsx'
import { countOf } from '#services/dashboard/parts/display/text.tsx'
import { messageOf } from '#services/dashboard/parts/problems/problem.tsx'
import { refreshItems } from '../../lists/list-items.ts'
import { pageSize } from '../view/items-request.ts'
import type { ItemOperation } from './bulk-change.ts'
import { runBulk } from './bulk-run.ts'
import { type BulkUndo, mostUndone, pause, sendBatch } from './bulk-sources.ts'

/** Whether everything that was done can be undone. */
export const canUndo = ({ inverses, deleted }: BulkUndo) =>
  inverses.length + deleted.length > 0 && inverses.length + deleted.length <= mostUndone

/** Restores the fields of changed items and the deleted items, and announces the result. @param list its name in the address */
export async function undoBulk(list: string, { inverses, deleted }: BulkUndo): Promise<void> {
  announce(`Undoing ${countOf(inverses.length + deleted.length, 'change')}…`)
  const reported = [await giveBack(list, inverses), await restoreDeleted(list, deleted)]
  const done = reported.reduce((sum, one) => sum + one.done, 0)
  const reason = reported.find((one) => one.reason !== undefined)?.reason
  if (reason === undefined) announce(`${countOf(done, 'item was', 'items were')} restored.`)
  else announce(`${countOf(done, 'item was', 'items were')} restored, others were not: ${reason}`, { bad: true })
  refreshItems(list)
}

type Undone = { done: number; reason: string | undefined }

async function giveBack(list: string, inverses: readonly ItemOperation[]): Promise<Undone> {
  async function* parts() {
    for (let n = 0; n < inverses.length; n += pageSize)
      yield inverses.slice(n, n + pageSize).map((operation) => ({ operation }))
  }
  const outcome = await runBulk({
    parts: parts(),
    send: (operations, key) => sendBatch(list, operations, key),
    newKey: randomId,
    wait: pause,
    signal: new AbortController().signal,
    onProgress: () => {},
  })
  return { done: outcome.done, reason: outcome.error ? messageOf(outcome.error) : outcome.failures[0]?.message }
}

/** Restores each item to its state after the last event before its deletion. */
async function restoreDeleted(list: string, ids: readonly string[]): Promise<Undone> {
  const items = client.list(list)
  const reported: Undone = { done: 0, reason: undefined }
  for (const id of ids) {
    try {
      const [, before] = (await items.events(id, { limit: 2 }).page(1)).data
      if (!before) throw new Error('The event log no longer has the earlier state of the item.')
      await items.restore(id, before.id, { includeData: false })
      reported.done++
    } catch (error) {
      reported.reason ??= messageOf(
        toListdError(error instanceof Error && !('status' in error) ? error.message : error),
      )
    }
  }
  return reported
}
