import test, { type ExecutionContext } from 'ava'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import type { ItemChange } from '#shared/data/items/item-change.ts'
import { outcomeOf } from '../../../support/databases/commits.ts'
import { logStory } from '../../../support/databases/contents/events.ts'
import { itemChange, makeList, testId, testItem } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

/** A list in which an item was created and deleted. */
async function setUp(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const { itemId } = await logStory(db, at, { steps: ['created', 'deleted'], at: 1 })
  const committer = createCommitter(db, { announce() {} })
  const restored = (revision: number): ItemChange => {
    const change = itemChange(at, { itemId, after: testItem(at, itemId, revision) })
    return { ...change, event: { ...change.event, type: 'item-restored' } }
  }
  const revisions = async () =>
    (await db.all('select revision from events where model_id = ? order by revision', [itemId])).map(
      ({ revision }) => revision,
    )
  return { db, at, itemId, committer, restored, revisions }
}

test('a deleted item is created again with the revision after its last one, and counted', async (t) => {
  const { db, committer, restored, revisions } = await setUp(t)
  await committer.commit(restored(3))
  t.deepEqual(await revisions(), [1, 2, 3])
  t.is((await db.get<{ n: number }>('select item_count as n from lists'))?.n, 1)
})

test('who creates it again after somebody else computes again', async (t) => {
  const { at, committer, restored, revisions } = await setUp(t)
  const created = itemChange(at, { itemId: testId() })
  const outcomes = await Promise.all([
    outcomeOf(committer.commitAll([restored(3)])),
    outcomeOf(committer.commitAll([created, restored(3)])),
  ])
  t.deepEqual(outcomes, ['committed', 'conflict on item'])
  t.deepEqual(await revisions(), [1, 2, 3])
})

test('who missed that it was restored and deleted again computes again', async (t) => {
  const { db, at, itemId, committer, restored, revisions } = await setUp(t)
  await logStory(db, at, { itemId, from: 2, live: false, steps: ['restored', 'deleted'], at: 10 })
  t.is(await outcomeOf(committer.commit(restored(3))), 'conflict on item')
  t.deepEqual(await revisions(), [1, 2, 3, 4])
  t.is((await db.all('select id from items')).length, 0)
})

test('an item that is created again can be changed in the same unit', async (t) => {
  const { db, at, itemId, committer, restored, revisions } = await setUp(t)
  const updated = itemChange(at, { itemId, expectedRevision: 3, after: testItem(at, itemId, 4) })
  t.is(await outcomeOf(committer.commitAll([restored(3), updated])), 'committed')
  t.deepEqual(await revisions(), [1, 2, 3, 4])
  t.like(await db.get('select revision from items'), { revision: 4 })
})
