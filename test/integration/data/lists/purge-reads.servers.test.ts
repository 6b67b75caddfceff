import test, { type ExecutionContext } from 'ava'
import { purgeValues, type ValuePurge } from '#shared/data/index-builds/value-purge.ts'
import { type ListPurge, purgeBatch } from '#shared/data/lists/list-purge.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { assertBatchesReadAlike } from '../../../support/databases/questions/batch-reads.ts'
import { analyze } from '../../../support/databases/questions/rows-read.ts'

const perBatch = 200

async function world(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  await addManyItems(db, { ...at, count: 6_000, tag: 'red', keyOf: (n) => (n % 3 === 0 ? null : `key ${n % 500}`) })
  await analyze(db, 'items', 'index_values', 'item_tags')
  return { db, at }
}

test('each batch of the purge of a list reads as much as the first one', async (t) => {
  const { db, at } = await world(t)
  await assertBatchesReadAlike(t, db, {
    from: { listId: at.listId, from: null } as ListPurge,
    async batch(counted, purge) {
      const { more, position } = await purgeBatch(counted, purge, { items: perBatch, bytes: 1_000_000 })
      return { next: more ? { ...purge, from: position } : null }
    },
  })
})

test('each batch of values that no index has any more reads as much as the first one', async (t) => {
  const { db, at } = await world(t)
  await assertBatchesReadAlike(t, db, {
    from: { valuesId: at.listId, from: null } as ValuePurge,
    async batch(counted, purge) {
      const { more, position } = await purgeValues(counted, purge, perBatch)
      return { next: more ? { ...purge, from: position } : null }
    },
  })
})
