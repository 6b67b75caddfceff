import test, { type ExecutionContext } from 'ava'
import {
  type DeliveryFilters,
  findDelivery,
  findDeliveryContents,
  readDeliveryPage,
} from '#shared/data/deliveries/deliveries.ts'
import { deleteSettledDeliveries } from '#shared/data/deliveries/retention.ts'
import type { CursorPage, PageRequest } from '#shared/data/pages/page.ts'
import type { Delivery } from '#shared/domain/webhook/delivery.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { addDeliveries, makeList, makeWebhook, testId, wrongWaitingCounts } from '../../../support/databases/rows.ts'

const statuses = ['succeeded', 'failed', 'pending', 'succeeded'] as const
const events = ['item.created', 'item.updated', 'item.deleted'] as const
const itemIds = [testId(), testId(), testId(), testId(), testId()] as const

/** A webhook with 60 deliveries of every kind, and another one of the account that must stay untouched. */
async function log(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const [webhookId, other] = [await makeWebhook(db, { accountId }), await makeWebhook(db, { accountId })]
  const rows = Array.from({ length: 60 }, (_, n) => ({
    status: statuses[n % 4] ?? '',
    event: events[n % 3] ?? '',
    itemId: itemIds[n % 5] ?? '',
  }))
  const key = { accountId, webhookId }
  const ids = await addDeliveries(db, key, rows)
  await addDeliveries(db, { accountId, webhookId: other }, rows)
  const wanted = ({ status, events: types, itemId }: DeliveryFilters) =>
    ids.filter((_, n) => {
      const row = rows[n]
      return (
        (!status || row?.status === status) &&
        (!types || types.includes(row?.event ?? '')) &&
        (!itemId || row?.itemId === itemId)
      )
    })
  return { db, key, ids, wanted }
}

function request(
  which: { page: number } | { after: string } = { page: 1 },
  direction: PageRequest['direction'] = 'desc',
): PageRequest {
  return { limit: 7, order: 'createdAt', direction, filters: '', ...which }
}

const filterSets: DeliveryFilters[] = [
  {},
  { status: 'pending' },
  { status: 'failed' },
  { status: 'succeeded' },
  { events: ['item.updated'] },
  { events: ['item.created', 'item.deleted'] },
  { events: [] },
  { status: 'succeeded', events: ['item.deleted'] },
  { itemId: itemIds[1] },
  { itemId: itemIds[1], status: 'pending' },
  { itemId: itemIds[2], events: ['item.created'], status: 'failed' },
  { itemId: testId() },
]

for (const filters of filterSets) {
  test(`deliveries of ${JSON.stringify(filters)}: pages and cursors give each once, in order, both ways`, async (t) => {
    const { db, key, wanted } = await log(t)
    for (const direction of ['asc', 'desc'] as const) {
      const expected = direction === 'asc' ? wanted(filters) : wanted(filters).toReversed()
      const read = async (which: Parameters<typeof request>[0]) => {
        const page = await readDeliveryPage(db, key, { filters, request: request(which, direction) })
        return page ?? t.fail()
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

test('pages by cursor are not shifted by deliveries that are created or settled meanwhile', async (t) => {
  const { db, key, ids } = await log(t)
  const page = async (after: string) =>
    (await readDeliveryPage(db, key, {
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
    const { data: _, ...totals } = Object(await readDeliveryPage(db, key, { filters, request: request() }))
    return totals
  }
  const atLeast = { page: 1, limit: 7, total: 10_000, totalIsAtLeast: true }
  t.deepEqual(await total({}), { page: 1, limit: 7, total: 10_001 })
  for (const filters of [{ status: 'succeeded' }, { events: ['item.created'] }, { itemId }] as const) {
    t.deepEqual(await total(filters), atLeast)
  }
  await deleteSettledDeliveries(db, Date.now())
  t.deepEqual(await total({}), { page: 1, limit: 7, total: 9_501 })
  t.deepEqual(await total({ itemId }), { page: 1, limit: 7, total: 9_501 })
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('a delivery is read by its own webhook and account only, with its text as it is sent', async (t) => {
  const { db, key, ids } = await log(t)
  const [deliveryId = ''] = ids
  const delivery = await findDelivery(db, { ...key, deliveryId })
  t.like(delivery, { id: deliveryId, status: 'succeeded', attempts: 8, response: null, error: null })
  if (!delivery) return t.fail()
  t.is((await findDeliveryContents(db, delivery))?.payload, `{"id":"${delivery.eventId}","big":12345678901234567890}`)
  t.is(await findDelivery(db, { ...key, deliveryId, accountId: testId() }), null)
  t.is(await findDelivery(db, { ...key, deliveryId, webhookId: testId() }), null)
  t.is(await readDeliveryPage(db, { ...key, accountId: testId() }, { filters: {}, request: request() }), null)
})
