import test, { type ExecutionContext } from 'ava'
import type { DeliveryFilters, DeliveryStretch } from '#shared/data/deliveries/delivery-ranges.ts'
import { countDeliveries, readDeliveryIds } from '#shared/data/deliveries/delivery-reads.ts'
import { walkDeliveries } from '#shared/data/deliveries/delivery-walk.ts'
import type { Direction } from '#shared/data/pages/page.ts'
import { addDeliveries, makeList, makeWebhook, testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

const itemId = testId()

/** A busy webhook and one of a few deliveries, some of which failed by time-out. */
async function world(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const webhookIds = [await makeWebhook(db, { accountId }), await makeWebhook(db, { accountId })]
  const row = (n: number) => ({
    status: ['succeeded', 'failed', 'pending'][n % 7] ?? 'succeeded',
    error: n % 5 === 0 ? 'timeout' : null,
    itemId: n % 2 === 0 ? itemId : testId(),
  })
  for (const [of, count] of [
    [0, 60],
    [1, 4],
    [0, 140],
    [1, 3],
  ] as const) {
    const webhookId = webhookIds[of] ?? ''
    await addDeliveries(
      db,
      { accountId, webhookId },
      Array.from({ length: count }, (_, n) => row(n)),
    )
  }
  return { db, webhookIds }
}

const filterSets: DeliveryFilters[] = [
  { error: 'timeout' },
  { error: 'timeout', statuses: ['failed', 'succeeded'] },
  { itemId, error: 'timeout', statuses: ['succeeded'] },
]

for (const filters of filterSets) {
  test(`walks by ${JSON.stringify(filters).replace(itemId, '<id>')} end at their budget, and continue without a gap`, async (t) => {
    const { db, webhookIds } = await world(t)
    const set = { ...filters, webhookIds }
    for (const direction of ['asc', 'desc'] satisfies Direction[]) {
      const whole = { direction, from: null, to: null }
      const expected = await readDeliveryIds(db, set, { ...whole, limit: 1_000, offset: 0 })
      t.true(expected.length > 4)
      const found: { id: string }[] = []
      let [counted, calls] = [0, 0]
      let from: DeliveryStretch['from'] = null
      for (let isEnd = false; !isEnd; calls++) {
        const budget = { left: 40 }
        for await (const stretch of walkDeliveries(db, set, { direction, from, budget })) {
          found.push(...(await readDeliveryIds(db, set, { ...stretch, limit: 1_000, offset: 0 })))
          counted += await countDeliveries(db, set, stretch)
          from = stretch.to
          isEnd = from === null
        }
        t.true(budget.left >= 0)
      }
      t.deepEqual(found, expected)
      t.is(counted, expected.length)
      t.true(calls > 1, String(calls))
    }
  })
}

test('waiting deliveries count in every stretch', async (t) => {
  const { db, webhookIds } = await world(t)
  const set = { webhookIds, error: 'timeout' } as const
  const read = async (left: number, waiting: number) => {
    const budget = { left }
    const stretches: DeliveryStretch[] = []
    const way = { direction: 'desc', from: null, budget, waiting } as const
    for await (const stretch of walkDeliveries(db, set, way)) stretches.push(stretch)
    return { left: budget.left, stretches: stretches.length }
  }
  const without = await read(1_000, 0)
  t.deepEqual(await read(1_000, 30), { ...without, left: without.left - 30 * without.stretches })
  t.deepEqual(await read(33, 30), { left: 33, stretches: 0 })
})

test('a walk through few rows is one stretch', async (t) => {
  const { db, webhookIds } = await world(t)
  const stretches: DeliveryStretch[] = []
  const walk = { direction: 'desc', from: null, budget: { left: 20_000 } } as const
  for await (const stretch of walkDeliveries(db, { webhookIds, error: 'tls' }, walk)) stretches.push(stretch)
  t.deepEqual(stretches, [{ direction: 'desc', from: null, to: null }])
})
