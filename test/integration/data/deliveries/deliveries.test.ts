import test, { type ExecutionContext } from 'ava'
import { createIds } from '#shared/crypto/ids.ts'
import type { Database } from '#shared/data/database.ts'
import { findBodyOfEvent, findDelivery, findDeliveryContents, findSent } from '#shared/data/deliveries/deliveries.ts'
import { readDeliveryCounts, readDeliveryPage } from '#shared/data/deliveries/delivery-page.ts'
import type { DeliveryFilters } from '#shared/data/deliveries/delivery-ranges.ts'
import { deleteSettledDeliveries } from '#shared/data/deliveries/retention.ts'
import type { CursorPage, PageRequest } from '#shared/data/pages/page.ts'
import { timeOfId } from '#shared/domain/id.ts'
import type { Delivery } from '#shared/domain/webhook/deliveries/delivery.ts'
import {
  addDeliveries,
  makeList,
  makeWebhook,
  testId,
  wrongWaitingCounts,
} from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

const statuses = ['succeeded', 'failed', 'pending', 'succeeded'] as const
const events = ['item.created', 'item.updated', 'item.deleted'] as const
const itemIds = [testId(), testId(), testId(), testId(), testId()] as const

const listIds = [testId(), testId()] as const
const eventIds = Array.from({ length: 60 }, () => testId())
const errors = ['timeout', null, 'tls']

const since = 1_700_000_000_000
/** Ids of deliveries, three for each millisecond. */
function idsOf(count: number): string[] {
  let at = since
  const make = createIds(() => at)
  return Array.from({ length: count }, (_, n) => {
    at = since + Math.floor(n / 3)
    return make()
  })
}

/** A webhook with 60 deliveries of every kind, and another webhook of the account that must not change. */
async function log(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const [webhookId, other] = [await makeWebhook(db, { accountId }), await makeWebhook(db, { accountId })]
  const rows = idsOf(60).map((id, n) => ({
    id,
    eventId: eventIds[n] ?? '',
    status: statuses[n % 4] ?? '',
    event: events[n % 3] ?? '',
    itemId: itemIds[n % 5] ?? '',
    listId: listIds[n % 2] ?? '',
    error: errors[n % 7] ?? null,
    responseStatus: [502, 204, null, 503][n % 4] ?? null,
  }))
  const key = { accountId, webhookId }
  const ids = await addDeliveries(db, key, rows)
  await addDeliveries(
    db,
    { accountId, webhookId: other },
    rows.map(({ id: _, eventId: __, ...row }) => row),
  )
  const passes = (row: (typeof rows)[number], filters: DeliveryFilters) =>
    (!filters.statuses || filters.statuses.some((status) => status === row.status)) &&
    (!filters.events || filters.events.includes(row.event)) &&
    (!filters.itemId || row.itemId === filters.itemId) &&
    (!filters.listId || row.listId === filters.listId) &&
    (!filters.eventId || row.eventId === filters.eventId) &&
    (!filters.error || row.error === filters.error) &&
    (!filters.responseStatus || Math.floor((row.responseStatus ?? 0) / 100) === filters.responseStatus.from / 100) &&
    (filters.startAt === undefined || timeOfId(row.id) >= filters.startAt) &&
    (filters.endAt === undefined || timeOfId(row.id) <= filters.endAt)
  const wanted = (filters: DeliveryFilters) => rows.filter((row) => passes(row, filters)).map(({ id }) => id)
  return { db, key, ids, wanted }
}

function request(
  which: { page: number } | { after: string } = { page: 1 },
  direction: PageRequest['direction'] = 'desc',
): PageRequest {
  return { limit: 7, order: 'createdAt', direction, filters: '', ...which }
}

/** A page of the deliveries of one webhook. */
async function pageOf(
  db: Database,
  key: { accountId: string; webhookId?: string },
  of: { filters: DeliveryFilters; request: PageRequest },
) {
  return readDeliveryPage(db, { counts: await readDeliveryCounts(db, key), ...of })
}

/** The ids of all pages by cursor, the newest first. */
async function walked(db: Database, key: { accountId: string }, filters: DeliveryFilters): Promise<string[]> {
  const ids: string[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page = (await pageOf(db, key, { filters, request: request({ after }) })) as CursorPage<Delivery>
    ids.push(...page.data.map(({ id }) => id))
    after = page.next
  }
  return ids
}

const filterSets: DeliveryFilters[] = [
  {},
  { statuses: ['pending'] },
  { statuses: ['failed'] },
  { statuses: ['succeeded'] },
  { events: ['item.updated'] },
  { events: ['item.created', 'item.deleted'] },
  { events: [] },
  { statuses: ['succeeded'], events: ['item.deleted'] },
  { itemId: itemIds[1] },
  { itemId: itemIds[1], statuses: ['pending'] },
  { itemId: itemIds[2], events: ['item.created'], statuses: ['failed'] },
  { itemId: testId() },
  { eventId: eventIds[7] ?? '' },
  { eventId: eventIds[7] ?? '', statuses: ['failed'] },
  { listId: listIds[0] },
  { error: 'timeout' },
  { error: 'dns' },
  { error: 'tls', statuses: ['succeeded', 'failed'], events: ['item.created', 'item.updated'] },
  { responseStatus: { from: 500, to: 599 } },
  { responseStatus: { from: 200, to: 299 }, itemId: itemIds[3] },
  { startAt: since + 5 },
  { endAt: since + 5 },
  { startAt: since + 4, endAt: since + 11, error: 'timeout' },
  { startAt: since + 4, endAt: since + 11, itemId: itemIds[0], statuses: ['pending', 'succeeded'] },
]

for (const filters of filterSets) {
  test(`deliveries of ${JSON.stringify(filters)}: pages and cursors give each once, in order, both ways`, async (t) => {
    const { db, key, wanted } = await log(t)
    for (const direction of ['asc', 'desc'] as const) {
      const expected = direction === 'asc' ? wanted(filters) : wanted(filters).toReversed()
      const read = async (which: Parameters<typeof request>[0]) => {
        return pageOf(db, key, { filters, request: request(which, direction) })
      }
      const byNumber: string[] = []
      for (let page = 1; ; page++) {
        const found = await read({ page })
        t.like(found, { page, limit: 7, total: expected.length })
        if (!found || found.data.length === 0) break
        byNumber.push(...found.data.map(({ id }) => id))
      }
      t.deepEqual(byNumber, expected)
      const byCursor: string[] = []
      for (let after: string | null = ''; after !== null; ) {
        const found = (await read({ after })) as CursorPage<Delivery>
        t.deepEqual(Object.keys(found), ['limit', 'next', 'data'])
        byCursor.push(...found.data.map(({ id }) => id))
        after = found.next
      }
      t.deepEqual(byCursor, expected)
    }
  })
}

test('a page is too broad if more deliveries wait than a call examines', async (t) => {
  const { db, key } = await log(t)
  const wait = (waiting: number) => db.run('update webhook_queues set waiting = ?', [waiting])
  const read = (filters: DeliveryFilters, which: Parameters<typeof request>[0]) =>
    pageOf(db, key, { filters, request: request(which) })
  await wait(20_000)
  for (const which of [{ page: 1 }, { after: '' }]) {
    for (const filters of [{}, { statuses: ['pending'] }, { error: 'timeout' }] satisfies DeliveryFilters[]) {
      const expected = { name: 'QUESTION_TOO_BROAD', details: { examined: 20_000, parameter: 'status' } }
      t.like(await t.throwsAsync(read(filters, which)), expected)
    }
    for (const filters of [
      { statuses: ['failed'] },
      { eventId: eventIds[7] ?? '' },
      { itemId: itemIds[1] },
    ] satisfies DeliveryFilters[])
      await t.notThrowsAsync(read(filters, which))
  }
  await wait(19_990)
  await t.notThrowsAsync(read({}, { after: '' }))
  t.is((await read({}, { after: '' })).data.length, 7)
})

test('the deliveries of all webhooks are one log, in the order of their creation', async (t) => {
  const { db, key, ids } = await log(t)
  const others = await db.all<{ id: string }>('select id from deliveries where webhook_id <> ?', [key.webhookId])
  const all = [...ids, ...others.map(({ id }) => id)].sort().toReversed()
  const { accountId } = key
  for (const filters of [{}, { events: [...events] }]) {
    const numbered: string[] = []
    for (let page = 1; page <= 18; page++) {
      const found = await pageOf(db, { accountId }, { filters, request: request({ page }) })
      t.like(found, { page, total: 120 })
      numbered.push(...found.data.map(({ id }) => id))
    }
    t.deepEqual(numbered, all)
    t.deepEqual(await walked(db, { accountId }, filters), all)
  }
  t.deepEqual(await walked(db, { accountId: testId() }, {}), [])
})

test('deliveries that are created or settled in between do not shift pages by cursor', async (t) => {
  const { db, key, ids } = await log(t)
  const page = async (after: string) =>
    (await pageOf(db, key, {
      filters: {},
      request: request({ after }),
    })) as CursorPage<Delivery>
  const first = await page('')
  await addDeliveries(db, key, [{}, { status: 'failed' }])
  await db.run("update deliveries set status = 'succeeded', next_attempt_at = null where status = 'pending'")
  const second = await page(first.next ?? '')
  t.deepEqual(
    [...first.data, ...second.data].map(({ id }) => id),
    ids.toReversed().slice(0, 14),
  )
})

test('an unfiltered total is exact, a filtered one is at least 10,000', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const key = { accountId, webhookId: await makeWebhook(db, { accountId }) }
  const itemId = testId()
  await addDeliveries(db, key, Array(10_001).fill({ itemId }))
  const total = async (filters: DeliveryFilters) => {
    const { data: _, ...totals } = Object(await pageOf(db, key, { filters, request: request() }))
    return totals
  }
  const atLeast = { page: 1, limit: 7, total: 10_000, totalIsAtLeast: true }
  t.deepEqual(await total({}), { page: 1, limit: 7, total: 10_001 })
  for (const filters of [{ statuses: ['succeeded'] }, { events: ['item.created'] }, { itemId }] as DeliveryFilters[]) {
    t.deepEqual(await total(filters), atLeast)
  }
  await deleteSettledDeliveries(db, { from: 0, until: Date.now(), rows: 500 })
  t.deepEqual(await total({}), { page: 1, limit: 7, total: 9_501 })
  t.deepEqual(await total({ itemId }), { page: 1, limit: 7, total: 9_501 })
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('a delivery is read only with its webhook and account, with its text as it is sent', async (t) => {
  const { db, key, ids } = await log(t)
  const [deliveryId = ''] = ids
  const delivery = await findDelivery(db, { ...key, deliveryId })
  t.like(delivery, { id: deliveryId, status: 'succeeded', attempts: 8, response: { status: 502 }, error: 'timeout' })
  if (!delivery) return t.fail()
  t.is((await findDeliveryContents(db, delivery))?.payload, `{"id":"${delivery.eventId}","big":12345678901234567890}`)
  t.is(await findDelivery(db, { ...key, deliveryId, accountId: testId() }), null)
  t.is(await findDelivery(db, { ...key, deliveryId, webhookId: testId() }), null)
  t.deepEqual(await readDeliveryCounts(db, { ...key, accountId: testId() }), [])
})

test('the requests of deliveries are found by their ids and by their event, only for their own webhook', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const key = { accountId, webhookId: await makeWebhook(db, { accountId }) }
  const other = { accountId, webhookId: await makeWebhook(db, { accountId }) }
  const [id = '', gone = ''] = await addDeliveries(db, key, [{ status: 'failed' }, { status: 'failed' }])
  const { event_id: eventId } = (await db.get<{ event_id: string }>('select event_id from deliveries where id = ?', [
    id,
  ])) ?? { event_id: '' }
  const body = '{"big":12345678901234567890}'
  await db.run('delete from event_payloads')
  await db.run('insert into event_payloads (event_id, body) values (?, ?)', [eventId, body])

  t.deepEqual([...(await findSent(db, key, [id, gone, testId()]))], [[id, { eventId, event: 'item.created', body }]])
  t.is((await findSent(db, other, [id])).size, 0)
  t.is(await findBodyOfEvent(db, { ...key, eventId }), body)
  t.is(await findBodyOfEvent(db, { ...other, eventId }), null)
  t.is(await findBodyOfEvent(db, { ...key, eventId: testId() }), null)
})
