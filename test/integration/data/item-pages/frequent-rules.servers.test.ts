import test from 'ava'
import { readItemPage } from '#shared/data/item-pages/page.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { pageRequest } from '../../../support/databases/questions/item-sets.ts'
import { analyze, countRowsRead } from '../../../support/databases/questions/rows-read.ts'
import { frequentRules, seenBy } from '../../../support/rules/frequent-rules.ts'

for (const [claim, where, items] of frequentRules) {
  test(`a page that shows "${claim}" is read from the indexes of its conditions`, async (t) => {
    const { db: real } = await testDatabase(t)
    const at = await makeList(real)
    await addManyItems(real, { ...at, count: 10_500, ...items })
    await analyze(real, 'items', 'index_values', 'index_elements')
    const options = { accountId: at.accountId, set: seenBy(where, at), filtered: true, withData: true }
    for (const request of [pageRequest({ after: '' }), pageRequest({ direction: 'asc', after: '' })]) {
      for (let times = 0; times < 6; times++) await readItemPage(real, options, request)
      const { db, rowsRead } = countRowsRead(real)
      t.is((await readItemPage(db, options, request)).page.data.length, 20)
      // The token sees 5,250 items in total.
      t.true(rowsRead() <= 3_000, `${rowsRead()}: ${claim}`)
    }
  })
}
