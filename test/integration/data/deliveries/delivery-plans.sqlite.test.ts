import test from 'ava'
import { readDeliveryCounts, readDeliveryPage } from '#shared/data/deliveries/delivery-page.ts'
import type { DeliveryFilters } from '#shared/data/deliveries/delivery-ranges.ts'
import { readDeliveryIds } from '#shared/data/deliveries/delivery-reads.ts'
import { maxExamined } from '#shared/domain/limits.ts'
import { deliveryStatuses } from '#shared/domain/webhook/deliveries/delivery.ts'
import { addDeliveries, makeList, makeWebhook, testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { watchPlans } from '../../../support/databases/plans.ts'

const itemId = testId()
const events = ['item.updated', 'item.deleted']
const sets: DeliveryFilters[] = [
  {},
  { events },
  { itemId },
  { itemId, events, statuses: ['failed'] },
  ...deliveryStatuses
    .map((status): DeliveryFilters => ({ statuses: [status] }))
    .flatMap((of) => [of, { ...of, events }, { ...of, itemId }]),
]

test('no listing sorts a growing table: at most the waiting deliveries are sorted', async (t) => {
  const { db, plans } = watchPlans((await testDatabase(t)).db)
  const part = { direction: 'desc', from: { key: null, id: testId() }, to: null, limit: 20, offset: 0 } as const
  for (const set of sets) {
    await readDeliveryIds(db, { webhookIds: [testId()], ...set }, part)
    const steps = plans.at(-1)?.steps ?? []
    const sorts = steps.filter((step) => step.includes('TEMP B-TREE')).length
    t.true(sorts <= (set.itemId || ['failed', 'succeeded'].includes(set.statuses?.[0] ?? '') ? 0 : 1), steps.join('\n'))
    t.true(steps.every((step) => !step.startsWith('SCAN deliveries')))
  }
  t.is(plans.length, sets.length)
})

test('a page examines 20,000 rows: by cursor it ends there, by number it is too broad', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const webhookId = await makeWebhook(db, { accountId })
  const [oldest = ''] = await addDeliveries(db, { accountId, webhookId }, [{ status: 'failed', error: 'tls' }])
  await addDeliveries(db, { accountId, webhookId }, Array(maxExamined).fill({ status: 'failed', error: 'timeout' }))
  const counts = await readDeliveryCounts(db, { accountId })
  const read = (filters: DeliveryFilters, which: { page: number } | { after: string }) =>
    readDeliveryPage(db, {
      counts,
      filters,
      request: { limit: 20, order: 'createdAt', direction: 'desc', filters: '', ...which },
    })

  const first = await read({ error: 'tls' }, { after: '' })
  t.like(first, { data: [] })
  if (!('next' in first) || first.next === null) return t.fail()
  t.like(await read({ error: 'tls' }, { after: first.next }), { data: [{ id: oldest }], next: null })

  const tooBroad = { name: 'QUESTION_TOO_BROAD', code: 10_026, status: 400 }
  const rare = await t.throwsAsync(read({ error: 'tls' }, { page: 1 }))
  t.like(rare, { ...tooBroad, details: { examined: maxExamined, parameter: 'error' } })
  const far = await t.throwsAsync(read({}, { page: 1_000 + 1 }))
  t.like(far, { ...tooBroad, details: { examined: maxExamined, parameter: 'page' } })
  t.like(await read({ error: 'timeout' }, { page: 2 }), { total: 10_000, totalIsAtLeast: true })
  t.like(await read({ events: [] }, { page: 1 }), { data: [], total: 0 })
  t.like(await read({}, { page: 1_000 }), { total: maxExamined + 1 })
  t.like(await read({}, { page: 1_002 }), { data: [] })
  t.like(await read({ eventId: testId() }, { page: 1 }), { data: [], total: 0 })
})
