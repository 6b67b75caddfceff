import test from 'ava'
import { readItemPage } from '#shared/data/item-pages/page.ts'
import { atLeast } from '../../../support/assertions/bounds.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { slowSteps, watchPlans } from '../../../support/databases/plans.ts'
import { pageRequest } from '../../../support/databases/questions/item-sets.ts'
import { frequentRules, seenBy } from '../../../support/rules/frequent-rules.ts'

for (const [claim, where, items] of frequentRules) {
  test(`a page that shows "${claim}" is read in order from the indexes of its conditions, and counted in them`, async (t) => {
    const { db } = await testDatabase(t)
    const at = await makeList(db)
    await addManyItems(db, { ...at, count: 120, ...items })
    const options = { accountId: at.accountId, set: seenBy(where, at), filtered: true, withData: true }
    for (const direction of ['asc', 'desc'] as const) {
      const { db: watched, plans } = watchPlans(db)
      const request = pageRequest({ direction, after: '' })
      const { page } = await readItemPage(watched, options, request)
      t.is(page.data.length, 20)
      const { next } = Object(page)
      await readItemPage(watched, options, { ...request, after: next } as typeof request)
      const numbered = await readItemPage(watched, options, pageRequest({ direction }))
      t.like(numbered.page, { total: 60 })
      atLeast(t, plans.length, 4, 'statements')
      t.true(plans.some(({ text }) => text.includes(claim === 'members has me' ? 'index_elements' : 'index_values')))
      for (const plan of plans) {
        // Only the rows of one round are sorted, and rows are counted only up to the limit of an exact total.
        const slow = slowSteps(plan).filter(
          (step) => !/^(SCAN ([bu]|counted)|(UNION USING|USE) TEMP B-TREE( FOR (ORDER|GROUP) BY)?)$/.test(step),
        )
        t.deepEqual(slow, [], plan.text)
        const whole = plan.steps.filter((step) =>
          /SCAN (items|index_values|index_elements)|\((list|index)_id=\?\)/.test(step),
        )
        t.deepEqual(whole, [], plan.text)
      }
    }
  })
}
