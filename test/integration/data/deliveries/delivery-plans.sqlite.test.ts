import test from 'ava'
import type { DeliveryFilters } from '#shared/data/deliveries/delivery-ranges.ts'
import { readDeliveryIds } from '#shared/data/deliveries/delivery-reads.ts'
import { deliveryStatuses } from '#shared/domain/webhook/deliveries/delivery.ts'
import { testId } from '../../../support/databases/contents/rows.ts'
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

test('no listing sorts a table that grows: at most the deliveries that wait are sorted', async (t) => {
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
