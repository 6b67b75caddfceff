import test from 'ava'
import { visibleItems } from '#shared/data/item-pages/item-set.ts'
import { searchItems } from '#shared/data/search/search.ts'
import { searchTerms } from '#shared/domain/search/query.ts'
import { atLeast } from '../../../support/assertions/bounds.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { slowSteps, watchPlans } from '../../../support/databases/plans.ts'
import { searchedList } from '../../../support/search/searched-list.ts'

test('a search reads its words in the order of the index, and items by their ids', async (t) => {
  const { db } = await testDatabase(t)
  const there = await searchedList(db, ['title'])
  for (let n = 0; n < 40; n++) await there.write({ title: `soup ${'of the day '.repeat(n % 3)}${n % 2 ? 7 : n}` })
  const { db: watched, plans } = watchPlans(db)
  for (const visible of [{ kind: 'all' }, { kind: 'own', identityId: 'ada' }] as const) {
    const set = visibleItems(there.at.listId, visible, true)
    for (const options of [{}, { prefix: true }, { match: 'all' }] as const) {
      const asked = searchTerms(['soup', 'day', '7'], options)
      const result = await searchItems(watched, await there.terms(), { asked, set, seesAll: visible.kind === 'all' })
      t.is('best' in result && result.best.length > 0, visible.kind === 'all')
    }
  }
  atLeast(t, plans.length, 8, 'statements')
  for (const plan of plans) {
    t.deepEqual(slowSteps(plan), [], plan.text)
    const ofTerms = plan.steps.filter((step) => /SEARCH (item_terms|d) /.test(step))
    for (const step of ofTerms)
      t.regex(step, /COVERING INDEX item_terms_search_index|PRIMARY KEY \(item_id=\? AND terms_id=\?/)
  }
})
