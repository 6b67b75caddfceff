import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { countEvents } from '#shared/data/events/event-counts.ts'
import {
  type EventQuery,
  findEvent,
  findLastEvent,
  findVersionSnapshot,
  readAccountLog,
  readSubjectLog,
} from '#shared/data/events/event-log.ts'
import type { EventFilters } from '#shared/data/events/event-ranges.ts'
import { eventRows } from '#shared/data/events/events.ts'
import type { CursorPage, Direction, NumberedPage, PageRequest } from '#shared/data/pages/page.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import type { EventEntry } from '#shared/domain/event.ts'
import { readTextFilter } from '#shared/domain/text/filter.ts'
import { type ItemStory, logEvent, logStory, wrongEventCounts } from '../../../support/databases/contents/events.ts'
import { makeList, makeWebhook, testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

const start = Date.UTC(2026, 2, 1)
const minute = 60_000

/** An account with an event every minute (of three items, a webhook and the list), and another account. */
async function world(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  const list = await makeList(db)
  const { accountId, listId } = list
  await logEvent(db, { accountId, type: 'list-created', stream: 'list', modelId: listId, listId, createdAt: start })
  const items: string[] = []
  for (let n = 0; n < 3; n++) {
    const at = start + (n + 1) * minute
    items.push(
      (await logStory(db, list, { steps: ['created', 'updated', 'updated'], at, snapshot: `{"n":${n}}` })).itemId,
    )
  }
  const webhookId = await makeWebhook(db, { accountId })
  const disabled = { modelId: webhookId, createdAt: start + 10 * minute, attachments: { reason: 'because' } }
  await logEvent(db, { accountId, type: 'webhook-disabled', ...disabled })
  const others = await makeList(db)
  await logStory(db, others, { steps: ['created'], at: start })
  return { db, list, items, accountId, listId }
}

const query = (
  options: { page?: number; after?: string; limit?: number; direction?: Direction; snapshots?: boolean } = {},
  filters: EventFilters = {},
): EventQuery => {
  const { page = 1, after, limit = 20, direction = 'desc', snapshots = false } = options
  const common = { limit, order: 'createdAt', direction, filters: JSON.stringify(filters) }
  const request: PageRequest = after === undefined ? { ...common, page } : { ...common, after }
  return { request, filters, snapshots }
}

type Read = (eventQuery: EventQuery) => Promise<unknown>
const numbered = async (read: Read, eventQuery: EventQuery) => (await read(eventQuery)) as NumberedPage<EventEntry>
const types = ({ data }: { data: readonly EventEntry[] }) => data.map(({ type }) => type)
const text = readTextFilter

test("the log of an account is newest first, has an exact total, and has no other account's events", async (t) => {
  const { db, accountId } = await world(t)
  const page = await numbered((eventQuery) => readAccountLog(db, accountId, eventQuery), query())
  t.is(page.total, 11)
  t.is(page.data.length, 11)
  t.is(page.data[0]?.type, 'webhook-disabled')
  t.is(page.data[0]?.attachments, '{"reason":"because"}')
  t.is(page.data.at(-1)?.type, 'list-created')
  const times = page.data.map(({ createdAt }) => createdAt)
  t.deepEqual(
    times,
    times.toSorted((left, right) => right - left),
  )
  t.true(page.data.every(({ snapshot }) => snapshot === null))
})

test('pages by number and by cursor have the same entries in both directions, even of the same moment', async (t) => {
  const { db, accountId } = await world(t)
  for (let n = 0; n < 5; n++) await logEvent(db, { accountId, type: 'webhook-updated', createdAt: start + 2 * minute })
  const all = await numbered((eventQuery) => readAccountLog(db, accountId, eventQuery), query())
  for (const direction of ['desc', 'asc'] as const) {
    const expected = direction === 'desc' ? all.data : all.data.toReversed()
    const byNumber: EventEntry[] = []
    for (let page = 1; page <= 7; page++) {
      const read = await numbered(
        (eventQuery) => readAccountLog(db, accountId, eventQuery),
        query({ page, limit: 3, direction }),
      )
      t.is(read.total, 16)
      byNumber.push(...read.data)
    }
    t.deepEqual(byNumber, expected)
    const byCursor: EventEntry[] = []
    for (let after: string | null = ''; after !== null; ) {
      const page = (await readAccountLog(
        db,
        accountId,
        query({ after, limit: 3, direction }),
      )) as CursorPage<EventEntry>
      byCursor.push(...page.data)
      after = page.next
    }
    t.deepEqual(byCursor, expected)
  }
})

test('entries added in between do not shift pages by cursor', async (t) => {
  const { db, list, accountId } = await world(t)
  const read = async (after: string) =>
    (await readAccountLog(db, accountId, query({ after, limit: 4 }))) as CursorPage<EventEntry>
  const before = await read('')
  const second = await read(before.next ?? '')
  await logStory(db, list, { steps: ['created', 'deleted'] })
  t.deepEqual(await read(before.next ?? ''), second)
})

test('stream and type are filtered as texts, times inclusively, and a filtered total is exact', async (t) => {
  const { db, accountId } = await world(t)
  const read = (filters: EventFilters) =>
    numbered((eventQuery) => readAccountLog(db, accountId, eventQuery), query({}, filters))
  const cases: [EventFilters, number][] = [
    [{ stream: text('item') }, 9],
    [{ stream: text('eq:WEBHOOK') }, 1],
    [{ stream: text('in:list,webhook') }, 2],
    [{ stream: text('flow') }, 0],
    [{ type: text('item-created') }, 3],
    [{ type: text('created') }, 4],
    [{ type: text('starts:item-'), stream: text('item') }, 9],
    [{ type: text('item-created'), stream: text('list') }, 0],
    [{ startAt: start + minute }, 10],
    [{ endAt: start + minute }, 2],
    [{ startAt: start + minute, endAt: start + minute + 1 }, 2],
    [{ stream: text('item'), startAt: start + 3 * minute }, 3],
    [{ startAt: start + 20 * minute }, 0],
    [{ startAt: start + 2, endAt: start + 1 }, 0],
  ]
  for (const [filters, total] of cases) {
    const page = await read(filters)
    t.is(page.total, total, JSON.stringify(filters))
    t.is(page.data.length, total, JSON.stringify(filters))
    t.is(page.totalIsAtLeast, undefined)
  }
})

test('a filtered total is counted to 10,000 and says so, an unfiltered one is exact beyond', async (t) => {
  const { db, accountId } = await world(t)
  await fill(db, accountId, 12_000)
  const read = (filters: EventFilters, page = 1) =>
    numbered((eventQuery) => readAccountLog(db, accountId, eventQuery), query({ page }, filters))
  t.is((await read({})).total, 12_011)
  for (const filters of [{ stream: text('token') }, { startAt: start }, { type: text('token'), startAt: start }]) {
    t.like(await read(filters), { total: 10_000, totalIsAtLeast: true })
  }
  t.is((await read({ stream: text('token') }, 600)).data.length, 20)
  t.is((await read({ stream: text('token') }, 601)).data.length, 0)
})

/** Many entries of one subject, with their count. */
async function fill(db: Database, accountId: string, count: number): Promise<void> {
  const entries = Array.from({ length: count }, (_, n) => {
    const id = `0190-fill-${String(n).padStart(8, '0')}`
    const event = { stream: 'token', type: 'token-updated', modelId: 'token-1', listId: null } as const
    return { id, accountId, createdAt: start + n + 1, ...event, actor: null, snapshot: null }
  })
  await db.transaction(async (tx) => {
    await insertRows(tx, eventRows(entries))
    await countEvents(tx, [[accountId, 'token-updated', 0, count]])
  })
}

test('the log of an item has its own events, even after its deletion, with an exact total', async (t) => {
  const { db, list, accountId } = await world(t)
  const { itemId } = await logStory(db, list, { steps: ['created', 'updated', 'deleted'], snapshot: '{"mine":1.0}' })
  const subject = { accountId, stream: 'item', modelId: itemId } as const
  const page = await numbered((eventQuery) => readSubjectLog(db, subject, eventQuery), query({ snapshots: true }))
  t.is(page.total, 3)
  t.deepEqual(types(page), ['item-deleted', 'item-updated', 'item-created'])
  t.true(page.data.every(({ modelId, snapshot }) => modelId === itemId && snapshot === '{"mine":1.0}'))
  const filtered = await numbered(
    (eventQuery) => readSubjectLog(db, subject, eventQuery),
    query({}, { type: text('deleted') }),
  )
  t.deepEqual([filtered.total, types(filtered)], [1, ['item-deleted']])
  await logStory(db, list, { itemId, from: 3, live: false, steps: ['restored', 'updated'] })
  t.is((await numbered((eventQuery) => readSubjectLog(db, subject, eventQuery), query())).total, 5)
  const nothing = { ...subject, modelId: testId() }
  t.like(await readSubjectLog(db, nothing, query()), { total: 0, data: [] })
})

test('the log of a list has the changes of the list itself', async (t) => {
  const { db, accountId, listId } = await world(t)
  const subject = { accountId, stream: 'list', modelId: listId } as const
  await logEvent(db, { accountId, type: 'list-updated', stream: 'list', modelId: listId, listId })
  const page = await numbered((eventQuery) => readSubjectLog(db, subject, eventQuery), query())
  t.deepEqual([page.total, types(page)], [2, ['list-updated', 'list-created']])
})

test('one event is read with its snapshot, only by its own subject and account', async (t) => {
  const { db, list, accountId, items } = await world(t)
  const { itemId, eventIds } = await logStory(db, list, { steps: ['created'], snapshot: '{"x":1e400}' })
  const [eventId = ''] = eventIds
  const subject = { accountId, stream: 'item', modelId: itemId } as const
  t.is((await findEvent(db, subject, eventId))?.snapshot, '{"x":1e400}')
  t.is(await findEvent(db, { ...subject, modelId: items[0] ?? '' }, eventId), null)
  t.is(await findEvent(db, { ...subject, accountId: testId() }, eventId), null)
  t.is(await findEvent(db, subject, testId()), null)
})

test('the last state of a deleted item is read only by its own list', async (t) => {
  const { db, list } = await world(t)
  const { itemId } = await logStory(db, list, { steps: ['created', 'deleted'], at: 7, snapshot: '{"was":"here"}' })
  t.deepEqual(await findLastEvent(db, { ...list, itemId }), { snapshot: '{"was":"here"}', revision: 2, createdAt: 8 })
  t.is(await findLastEvent(db, { ...list, listId: testId(), itemId }), null)
  t.is(await findLastEvent(db, { ...list, accountId: testId(), itemId }), null)
  t.is(await findLastEvent(db, { ...list, itemId: testId() }), null)
  t.is(await findLastEvent(db, { ...list, itemId: list.listId }), null)
})

test('an earlier version is read by its number, before a revision, among the last 100', async (t) => {
  const { db, list } = await world(t)
  const log = (steps: ItemStory['steps'], from: number, snapshot: string) =>
    logStory(db, list, { itemId, from, live: from > 0 && from !== 3, steps, at: from, snapshot })
  const itemId = testId()
  await log(['created', 'updated', 'deleted'], 0, '"old"')
  await log(['restored'], 3, '"restored"')
  const find = (revision: number, version: string) => findVersionSnapshot(db, { id: itemId, revision }, version)
  t.deepEqual(await find(5, '1.0.3'), { snapshot: '"restored"', revision: 4 })
  t.deepEqual(await find(4, '1.0.1'), { snapshot: '"old"', revision: 2 })
  t.is(await find(2, '1.0.1'), null)
  t.is(await find(5, '1.0.9'), null)
  await log(Array(98).fill('updated'), 4, '"new"')
  t.deepEqual(await find(102, '1.0.3'), { snapshot: '"restored"', revision: 4 })
  t.is((await find(102, '1.0.1'))?.revision, 2)
  t.is(await find(102, '1.0.0'), null)
})

test('a cursor of another listing is an error of the request', async (t) => {
  const { db, accountId } = await world(t)
  const page = (await readAccountLog(db, accountId, query({ after: '', limit: 2 }))) as CursorPage<EventEntry>
  const after = page.next ?? ''
  for (const bad of [
    query({ after, direction: 'asc' }),
    query({ after }, { stream: text('item') }),
    query({ after: 'nonsense' }),
    query({ after: forged(after, 'text') }),
    query({ after: forged(after, null) }),
  ]) {
    await t.throwsAsync(readAccountLog(db, accountId, bad), { name: 'VALIDATION_FAILED' })
  }
})

function forged(cursor: string, key: unknown): string {
  const [, ...others] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  return Buffer.from(JSON.stringify([key, ...others])).toString('base64url')
}

test('every writer of the log counts what it writes', async (t) => {
  const { db } = await world(t)
  t.deepEqual(await wrongEventCounts(db), [])
  t.is((await db.all('select distinct account_id, type from event_count_shards')).length, 5)
})
