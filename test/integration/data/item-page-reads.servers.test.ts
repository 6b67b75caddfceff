import test from 'ava'
import { readItemPage } from '#shared/data/items/item-page.ts'
import { testDatabase } from '../../support/databases/database.ts'
import { indexedSets, pageRequest } from '../../support/databases/item-sets.ts'
import { addManyItems } from '../../support/databases/many-items.ts'
import { makeList } from '../../support/databases/rows.ts'
import { analyze, countRowsRead } from '../../support/databases/rows-read.ts'

test('every page reads only what it shows and merges, however many items the list has', async (t) => {
  const { db: real } = await testDatabase(t)
  const { accountId, listId } = await makeList(real)
  await addManyItems(real, { accountId, listId, count: 10_000, tag: 'a' })
  await real.run("update items set identity_id = 'ada' where readonly = 1")
  await analyze(real, 'items', 'item_tags')
  // Which of two tags fewer items have is counted first, up to 10,000.
  for (const [claim, setOf, orders] of indexedSets.filter(([, setOf]) => setOf(listId).tagged.length < 2)) {
    for (const order of orders) {
      for (const direction of ['asc', 'desc'] as const) {
        const { db, rowsRead } = countRowsRead(real)
        const options = { accountId, set: setOf(listId), filtered: true, withData: true }
        await readItemPage(db, options, pageRequest({ order, direction, after: '' }))
        t.true(rowsRead() <= 600, `${rowsRead()}: ${claim}, ${order} ${direction}`)
      }
    }
  }
})
