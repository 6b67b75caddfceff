import test from 'ava'
import { countListDays, countSubjectDays } from '#shared/data/events/event-days.ts'
import { type DayCount, dayMs } from '#shared/domain/stats.ts'
import { logEvent, logStory } from '../../../support/databases/contents/events.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { makeList, testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

const today = Date.UTC(2026, 2, 1)

/** The sums by type and day, over all counts. */
function summed(counts: readonly DayCount[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { type, day, entries } of counts) {
    const key = `${type} ${(day - today) / dayMs}`
    sums[key] = (sums[key] ?? 0) + entries
  }
  return sums
}

test("a list's days have its own events and those of its items and indexes, an item's only its own", async (t) => {
  const { db } = await testDatabase(t)
  const list = await makeList(db)
  const { accountId, listId } = list
  const other = { accountId, listId: await addList(db, accountId, { pathName: 'others' }) }
  const indexId = testId()
  const log = (stream: 'list' | 'index' | 'webhook', modelId: string, createdAt: number) =>
    logEvent(db, {
      accountId,
      stream,
      type: `${stream}-updated`,
      modelId,
      listId: stream === 'webhook' ? null : listId,
      createdAt,
    })
  await log('list', listId, today)
  await log('index', indexId, today - 1)
  await log('webhook', testId(), today)
  const { itemId } = await logStory(db, list, { steps: ['created', 'updated'], at: today - 1 })
  await logStory(db, list, { steps: ['created', 'deleted'], at: today + dayMs - 2 })
  await logStory(db, other, { steps: ['created'], at: today })
  const counted = await countListDays(db, list)
  t.is(counted.since, null)
  t.deepEqual(summed(counted.counts), {
    'index-updated -1': 1,
    'item-created -1': 1,
    'item-created 0': 1,
    'item-deleted 0': 1,
    'item-updated 0': 1,
    'list-updated 0': 1,
  })
  t.deepEqual(summed((await countSubjectDays(db, itemId)).counts), { 'item-created -1': 1, 'item-updated 0': 1 })
  t.deepEqual(summed((await countSubjectDays(db, indexId)).counts), { 'index-updated -1': 1 })
  t.deepEqual(await countSubjectDays(db, testId()), { counts: [], since: null })
  t.deepEqual(await countListDays(db, { ...(await makeList(db)), listId }), { counts: [], since: null })
})

test('only the newest events are counted, and the time of the oldest of them is returned', async (t) => {
  const { db } = await testDatabase(t)
  const list = await makeList(db)
  const steps = ['created', ...Array<'updated'>(39).fill('updated')] as const
  const { itemId } = await logStory(db, list, { steps, at: today - 20 })
  await logStory(db, list, { steps: ['created'], at: today })
  const ofItem = await countSubjectDays(db, itemId, 30)
  t.deepEqual([summed(ofItem.counts), ofItem.since], [{ 'item-updated -1': 10, 'item-updated 0': 20 }, today - 10])
  const { counts, since } = await countListDays(db, list, 30)
  t.true(since !== null && since >= today - 12 && since <= today + 5, String(since))
  t.deepEqual(summed(counts)['item-created 0'], 1)
  t.is((await countSubjectDays(db, itemId, 41)).since, null)
})
