import test from 'ava'
import { type ErrorName, ListdError } from '#client/src/error.ts'
import type { ItemOperation } from '#services/dashboard/pages/items/bulk/bulk-change.ts'
import {
  type BulkProgress,
  type BulkRun,
  mostFailures,
  runBulk,
} from '#services/dashboard/pages/items/bulk/bulk-run.ts'

const step = (item: string) => ({ operation: { op: 'delete' as const, item } })
async function* partsOf(...parts: (string | null)[][]) {
  for (const part of parts) yield part.map((item) => item && step(item)).map((one) => one || null)
}
const itemsOf = (operations: readonly ItemOperation[]) => operations.map((one) => ('item' in one ? one.item : ''))

/** Runs bulk steps against a server that fails as `reject` says, and records requests and waits. */
function runWith(parts: (string | null)[][], reject: Reject) {
  const sent: { items: string[]; key: string }[] = []
  const done: string[] = []
  const waited: number[] = []
  const progress: BulkProgress[] = []
  const stopping = new AbortController()
  const run: BulkRun = {
    parts: partsOf(...parts),
    async send(operations, key) {
      const items = itemsOf(operations)
      sent.push({ items, key })
      const error = reject(items, sent.length, stopping)
      if (error) throw error
    },
    newKey: () => `key ${sent.length}`,
    wait: async (seconds) => void waited.push(seconds),
    signal: stopping.signal,
    onProgress: (one) => progress.push(one),
    onDone: (steps) => done.push(...itemsOf(steps.map(({ operation }) => operation))),
  }
  return { outcome: runBulk(run), sent, done, waited, progress, stopping }
}
type Reject = (items: string[], nth: number, stopping: AbortController) => ListdError | undefined

const rejection = (status: number, name: ErrorName, more: { operation?: number; retryAfterSeconds?: number } = {}) => {
  const { operation, retryAfterSeconds } = more
  return new ListdError({
    status,
    name,
    message: `rejected as ${name}`,
    retryAfterSeconds,
    details: operation === undefined ? undefined : { operation },
  })
}

test('parts are sent one after the other, and items that need no change are counted, not sent', async (t) => {
  const { outcome, sent, done, progress } = runWith([['a', null, 'b'], [null], ['c']], () => undefined)
  const { done: count, unchanged, failed, end } = await outcome
  t.deepEqual({ count, unchanged, failed, end }, { count: 3, unchanged: 2, failed: 0, end: 'all' })
  t.deepEqual(
    sent.map(({ items }) => items),
    [['a', 'b'], ['c']],
  )
  t.deepEqual(done, ['a', 'b', 'c'])
  t.deepEqual(
    progress.map((one) => one.done),
    [2, 2, 3],
  )
})

test('a rejected item is reported and left out, and its batch is sent without it', async (t) => {
  const reject: Reject = (items) => {
    const operation = items.findIndex((item) => item.startsWith('bad'))
    return operation < 0 ? undefined : rejection(409, 'ITEM_READONLY', { operation })
  }
  const { outcome, sent, done } = runWith([['a', 'bad1', 'b', 'bad2'], ['bad3']], reject)
  const { failures, failed, end } = await outcome
  t.deepEqual(
    failures.map(({ item }) => item),
    ['bad1', 'bad2', 'bad3'],
  )
  t.is(failures[0]?.message, 'rejected as ITEM_READONLY')
  t.deepEqual({ failed, end }, { failed: 3, end: 'all' })
  t.deepEqual(done, ['a', 'b'])
  t.is(new Set(sent.map(({ key }) => key)).size, sent.length)
})

test('of many failures only the first are reported, but all are counted', async (t) => {
  const many = Array.from({ length: mostFailures + 5 }, (_, n) => `i${n}`)
  const { failed, failures } = await runWith([many], () => rejection(409, 'ITEM_LOCKED', { operation: 0 })).outcome
  t.deepEqual([failed, failures.length], [mostFailures + 5, mostFailures])
})

test('a batch that is too large is sent in halves', async (t) => {
  const reject: Reject = (items) => (items.length > 2 ? rejection(413, 'PAYLOAD_TOO_LARGE') : undefined)
  const { outcome, done } = runWith([['a', 'b', 'c', 'd', 'e']], reject)
  t.is((await outcome).done, 5)
  t.deepEqual(done, ['a', 'b', 'c', 'd', 'e'])
})

test('an error that every item would cause ends the run, and nothing is sent after it', async (t) => {
  for (const error of [
    rejection(409, 'LIST_READONLY', { operation: 0 }),
    rejection(403, 'USER_MODE_REQUIRED'),
    rejection(404, 'REQUESTED_ENTITY_NOT_FOUND'),
  ]) {
    const { outcome, sent } = runWith([['a', 'b'], ['c']], () => error)
    const ended = await outcome
    t.deepEqual([ended.end, ended.done, ended.failed, ended.unknown, ended.error], ['broken', 0, 0, 0, error])
    t.is(sent.length, 1)
  }
})

test('a stop lets the current batch end, and sends no other', async (t) => {
  const { outcome, done } = runWith([['a', 'b'], ['c'], ['d']], (_items, _nth, stopping) => {
    stopping.abort()
    return undefined
  })
  const { end, done: count, error } = await outcome
  t.deepEqual({ end, count, error }, { end: 'stopped', count: 2, error: null })
  t.deepEqual(done, ['a', 'b'])
})

test('a stop while the server is busy ends the run without another request', async (t) => {
  const { outcome, sent } = runWith([['a']], (_items, _nth, stopping) => {
    stopping.abort()
    return rejection(503, 'SERVICE_UNAVAILABLE')
  })
  const { end, done, unknown } = await outcome
  t.deepEqual({ end, done, unknown }, { end: 'stopped', done: 0, unknown: 0 })
  t.is(sent.length, 1)
})

test('a busy server is called again after the time that it names', async (t) => {
  const { outcome, waited, progress } = runWith([['a']], (_items, nth) =>
    nth < 3 ? rejection(429, 'RATE_LIMIT_EXCEEDED', { retryAfterSeconds: 7 }) : undefined,
  )
  t.is((await outcome).end, 'all')
  t.deepEqual(waited, [7, 7])
  t.deepEqual(
    progress.map(({ waits }) => waits),
    [7, 7, null],
  )
})

test('a batch whose answer was lost is sent again under its key; one that is never answered is reported as unknown', async (t) => {
  const lost = rejection(0, 'CONNECTION_FAILED')
  const found = runWith([['a', 'b']], (_items, nth) => (nth === 1 ? lost : undefined))
  t.is((await found.outcome).done, 2)
  t.is(new Set(found.sent.map(({ key }) => key)).size, 1)

  const never = runWith([['a', 'b'], ['c']], () => lost)
  const { end, done, unknown, error } = await never.outcome
  t.deepEqual({ end, done, unknown, error }, { end: 'broken', done: 0, unknown: 2, error: lost })
})
