import test from 'ava'
import { releaseLease, takeLease } from '#shared/data/leases/leases.ts'
import { testDatabase } from '../../../support/databases/database.ts'

const lease = (owner: string, ms = 60_000) => ({ name: 'job', owner, ms })

test('a lease has one holder at a time', async (t) => {
  const { db } = await testDatabase(t)
  t.truthy(await takeLease(db, lease('a')))
  t.is(await takeLease(db, lease('b')), null)
})

test('its holder renews it under the same fence', async (t) => {
  const { db } = await testDatabase(t)
  const first = await takeLease(db, lease('a'))
  const again = await takeLease(db, lease('a'))
  t.is(again?.fence, first?.fence)
})

test('a lease that has expired, or was released, gets a new owner with a higher fence', async (t) => {
  const { db } = await testDatabase(t)
  const first = await takeLease(db, lease('a', -1))
  const second = await takeLease(db, lease('b'))
  if (!first || !second) return t.fail('not taken')
  t.is(second.fence, first.fence + 1)
  await releaseLease(db, first)
  t.is(await takeLease(db, lease('c')), null, 'a stale holder cannot release it')
  await releaseLease(db, second)
  t.is((await takeLease(db, lease('c')))?.fence, second.fence + 1)
})

test('a lease that is further ahead than possible, from a fast clock, is free', async (t) => {
  const { db } = await testDatabase(t)
  t.truthy(await takeLease(db, lease('a', 48 * 3_600_000)))
  t.is((await takeLease(db, lease('b')))?.owner, 'b')
})
