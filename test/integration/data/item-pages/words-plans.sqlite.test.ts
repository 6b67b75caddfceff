import test from 'ava'
import { readItemPage } from '#shared/data/item-pages/page.ts'
import type { Question } from '#shared/domain/item/questions/question.ts'
import { atLeast } from '../../../support/assertions/bounds.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { slowSteps, watchPlans } from '../../../support/databases/plans.ts'
import { pageRequest, valuePageRequest } from '../../../support/databases/questions/item-sets.ts'
import { asking, havingWords, notHavingWords } from '../../../support/databases/questions/question-sets.ts'

const termsId = 7
const soup = havingWords(termsId, ['soup'])
const questions: [claim: string, question: Question, looked: RegExp][] = [
  ['a word', soup, /^SEARCH item_terms USING COVERING INDEX item_terms_search_index \(terms_id=\? AND term=\?\)$/],
  [
    'either of two words',
    havingWords(termsId, ['soup', 'day']),
    /item_terms_search_index \(terms_id=\? AND term=\?\)$/,
  ],
  ['a word or a tag', { kind: 'or', of: [soup, { kind: 'tagged', anyOf: ['a'] }] }, /item_terms_search_index/],
  ['none of some words', notHavingWords(termsId, ['none', 'other']), /SEARCH w USING PRIMARY KEY/],
]

for (const [claim, question, looked] of questions) {
  test(`a page of ${claim} looks words up by the word or by the item, and sorts what few they find`, async (t) => {
    const { db } = await testDatabase(t)
    const { accountId, listId } = await makeList(db)
    const words = { termsId, of: (n: number) => (n % 2 === 0 ? ['soup'] : ['day']) }
    await addManyItems(db, { accountId, listId, count: 60, tag: 'a', words })
    for (const request of [pageRequest({ after: '' }), pageRequest({}), valuePageRequest(listId, { after: '' })]) {
      const { db: watched, plans } = watchPlans(db)
      const options = { accountId, set: asking(listId, question), filtered: true, withData: true }
      const { page } = await readItemPage(watched, options, request)
      t.is(page.data.length, 20)
      const steps = plans.flatMap((plan) => plan.steps.filter((step) => /item_terms|SEARCH w/.test(step)))
      atLeast(t, steps.length, 2, 'look-ups of words')
      t.true(steps.some((step) => looked.test(step)))
      for (const step of steps)
        t.regex(
          step,
          /item_terms_search_index \(terms_id=\? AND term=\?|SEARCH w USING PRIMARY KEY \(item_id=\? AND terms_id=\? AND term=\?/,
        )
      for (const plan of plans) {
        const slow = slowSteps(plan).filter((step) => !/^(SCAN u|USE TEMP B-TREE FOR (DISTINCT|ORDER BY))$/.test(step))
        t.deepEqual(slow, [], plan.text)
      }
    }
  })
}
