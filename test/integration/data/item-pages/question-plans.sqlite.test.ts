import test from 'ava'
import { readItemPage } from '#shared/data/item-pages/page.ts'
import { atLeast } from '../../../support/assertions/bounds.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { slowSteps, watchPlans } from '../../../support/databases/plans.ts'
import { pageRequest, valuePageRequest } from '../../../support/databases/questions/item-sets.ts'
import { asking, servedByValue, servedInOrder } from '../../../support/databases/questions/question-sets.ts'

for (const [claim, question] of [...servedInOrder, ...servedByValue]) {
  test(`a page of ${claim} is read from ranges, and sorts no more than it reads of each`, async (t) => {
    const { db } = await testDatabase(t)
    const { accountId, listId } = await makeList(db)
    await addManyItems(db, { accountId, listId, count: 60, tag: 'a', keyOf: (n) => (n % 2 === 0 ? 'even' : 'odd') })
    const isByValue = servedByValue.some(([other]) => other === claim)
    for (const direction of ['asc', 'desc'] as const) {
      const { db: watched, plans } = watchPlans(db)
      const options = { accountId, set: asking(listId, question(listId)), filtered: true, withData: true }
      const request = isByValue
        ? valuePageRequest(listId, { direction, after: '' })
        : pageRequest({ direction, after: '' })
      const first = await readItemPage(watched, options, request)
      const { next, data } = Object(first).page
      t.is(data.length, 20)
      await readItemPage(watched, options, { ...request, after: next } as typeof request)
      atLeast(t, plans.length, 2, 'statements')
      // What is sorted has been cut to the rows of a round.
      for (const plan of plans) {
        const slow = slowSteps(plan).filter((step) => !/^(SCAN [bu]|USE TEMP B-TREE FOR (ORDER|GROUP) BY)$/.test(step))
        t.deepEqual(slow, [], plan.text)
        t.false(
          plan.steps.some((step) => /SCAN (items|index_values|item_tags)|\(list_id=\?\)|\(index_id=\?\)/.test(step)),
        )
      }
    }
  })
}
