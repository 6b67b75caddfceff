import test from 'ava'
import { Conflict, conflictCounters, retryOnConflict } from '#shared/data/conflict.ts'

test('work with a conflict starts again, and each conflict is counted', async (t) => {
  const counted = () => conflictCounters('item').listd_item_conflicts_total?.read() ?? 0
  const before = counted()
  let attempts = 0
  const work = async () => {
    attempts++
    if (attempts < 4) throw new Conflict('item')
    return 'done'
  }
  t.is(await retryOnConflict('item', work), 'done')
  t.is(attempts, 4)
  t.is(counted() - before, 3)
})

test('a conflict on something else, and every other error, is passed on at once', async (t) => {
  for (const error of [new Conflict('list'), new Error('broken')]) {
    let attempts = 0
    const work = async () => {
      attempts++
      throw error
    }
    t.is(await t.throwsAsync(retryOnConflict('item', work)), error)
    t.is(attempts, 1)
  }
})

test('conflicts may last 5 s, without the time until the first one', async (t) => {
  let time = 0
  let attempts = 0
  const workOf = (lastConflict: number) => async () => {
    attempts++
    time += attempts === 1 ? 60_000 : 1_000
    if (attempts <= lastConflict) throw new Conflict('group')
    return 'done'
  }
  const now = () => time
  t.is(await retryOnConflict('group', workOf(6), { now }), 'done')
  attempts = 0
  await t.throwsAsync(retryOnConflict('group', workOf(7), { now }), { name: 'SERVICE_UNAVAILABLE' })
})
