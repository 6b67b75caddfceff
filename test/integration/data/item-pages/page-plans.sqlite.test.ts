import test from 'ava'
import { visibleItems } from '#shared/data/item-pages/item-set.ts'
import { readItemPage } from '#shared/data/item-pages/page.ts'
import { purgeBatch } from '#shared/data/lists/list-purge.ts'
import { makeCursor } from '#shared/data/pages/cursor.ts'
import { textKeyFilter } from '#shared/domain/item/questions/key-filter.ts'
import type { Question } from '#shared/domain/item/questions/question.ts'
import { readTextFilter } from '#shared/domain/text/filter.ts'
import { atLeast } from '../../../support/assertions/bounds.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { slowSteps, watchPlans } from '../../../support/databases/plans.ts'
import {
  all,
  byId,
  indexedSets,
  pageRequest,
  pageRequest as request,
  valuePageRequest,
  valueSets,
} from '../../../support/databases/questions/item-sets.ts'
import {
  asking,
  havingWords,
  notHavingWords,
  servedByValue,
  servedInOrder,
} from '../../../support/databases/questions/question-sets.ts'

for (const [claim, setOf, orders] of indexedSets) {
  test(`a page of ${claim} is read in the order of an index, without sorting or scanning`, async (t) => {
    const { db } = await testDatabase(t)
    const { accountId, listId } = await makeList(db)
    await addManyItems(db, { accountId, listId, count: 60, tag: 'a' })
    const set = setOf(listId)
    for (const order of orders) {
      for (const direction of ['asc', 'desc'] as const) {
        const { db: watched, plans } = watchPlans(db)
        const options = { accountId, set, filtered: true, withData: true }
        const first = await readItemPage(watched, options, request({ order, direction, after: '' }))
        const { next } = Object(first).page
        if (next) await readItemPage(watched, options, request({ order, direction, after: next }))
        await readItemPage(watched, options, request({ order, direction, page: 2 }))
        atLeast(t, plans.length, 3, 'statements')
        for (const plan of plans) t.deepEqual(slowSteps(plan), [], plan.text)
      }
    }
  })
}

for (const [claim, setOf] of valueSets) {
  test(`a page of ${claim} is read in the order of values, without sorting or scanning`, async (t) => {
    const { db } = await testDatabase(t)
    const { accountId, listId } = await makeList(db)
    await addManyItems(db, { accountId, listId, count: 60, keyOf: (n) => (n % 3 === 0 ? null : 'x') })
    const options = { accountId, set: setOf(listId), filtered: true, withData: true }
    for (const direction of ['asc', 'desc'] as const) {
      const { db: watched, plans } = watchPlans(db)
      for (const position of [{ after: '' }, { page: 2 }]) {
        await readItemPage(watched, options, valuePageRequest(listId, { direction, ...position }))
      }
      for (const key of ['x', null]) {
        const request = valuePageRequest(listId, { direction, after: '' })
        const after = makeCursor({ key, id: `${listId.slice(-8)}-0000-7000-9000-000000000030` }, request)
        await readItemPage(watched, options, { ...request, after } as typeof request)
      }
      atLeast(t, plans.length, 5, 'statements')
      for (const plan of plans) t.deepEqual(slowSteps(plan), [], plan.text)
    }
  })
}

test('items with one of several values are put into the order of creation by the index of the values alone', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId, listId } = await makeList(db)
  await addManyItems(db, { accountId, listId, count: 60 })
  for (const [claim, setOf] of valueSets.filter(([, setOf]) => setOf(listId).values.length > 0)) {
    const { db: watched, plans } = watchPlans(db)
    await readItemPage(watched, { accountId, set: setOf(listId), filtered: true, withData: true }, request({}))
    const steps = plans.flatMap(({ steps }) => steps)
    t.deepEqual(
      new Set(steps.filter((step) => /SEARCH [xs] /.test(step)).map(withoutRange)),
      new Set([valuesAlone]),
      claim,
    )
  }
})

const valuesAlone = 'SEARCH x USING COVERING INDEX index_values_order_index'
const withoutRange = (step: string) => step.replace(/ \(.*/, '')

test('items named by rules or an exact alias are found by id, not by a scan of the list', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId, listId } = await makeList(db)
  const values = [{ indexId: 'index', ...textKeyFilter(readTextFilter('in:soup,pie')) }]
  for (const set of [visibleItems(listId, byId(false), true), { ...visibleItems(listId, all, true), values }]) {
    const { db: watched, plans } = watchPlans(db)
    await readItemPage(watched, { accountId, set, filtered: false, withData: true }, request({}))
    for (const { steps } of plans)
      t.false(
        steps.some((step) => /items_list_id|index_id=\?\)/.test(step)),
        steps.join(),
      )
  }
})

test('more than 10,000 items are read in index order, whatever the filters', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId, listId } = await makeList(db)
  await addManyItems(db, { accountId, listId, count: 10_001, tag: 'all' })
  const whole = { accountId, set: visibleItems(listId, all, true), filtered: false, withData: false }
  for (const options of [whole, { ...whole, set: { ...whole.set, tagged: [['all']] }, filtered: true }]) {
    const { db: watched, plans } = watchPlans(db)
    await readItemPage(watched, options, request({ order: 'updatedAt' }))
    for (const plan of plans) t.deepEqual(slowSteps(plan), [], plan.text)
  }
})

test('the items to purge are found by an index, in its order', async (t) => {
  const { db } = await testDatabase(t)
  const { db: watched, plans } = watchPlans(db)
  const { listId } = await makeList(db)
  await purgeBatch({ ...db, ...watched }, { listId, from: null }, { items: 10, bytes: 1_000 })
  t.deepEqual(
    plans.flatMap(({ steps }) => steps.map((step) => step.replace(/ USING INDEX \w+/, ''))),
    Array(4).fill('SEARCH items (list_id=? AND activated=? AND readonly=?)'),
  )
})

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
      // Only the rows of one round are sorted.
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
  test(`a page of ${claim} looks words up by the word or by the item, and sorts the few that they find`, async (t) => {
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
