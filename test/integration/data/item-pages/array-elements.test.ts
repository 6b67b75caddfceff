import test from 'ava'
import type { ItemSet } from '#shared/data/item-pages/item-set.ts'
import { type ItemPageRequest, readItemPage } from '#shared/data/item-pages/page.ts'
import type { CursorPage, NumberedPage } from '#shared/data/pages/page.ts'
import { allKeys, type KeySet } from '#shared/domain/item/questions/key-filter.ts'
import type { Question } from '#shared/domain/item/questions/question.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { pageRequest, valuePageRequest } from '../../../support/databases/questions/item-sets.ts'
import { asking } from '../../../support/databases/questions/question-sets.ts'
import { shared } from '../../../support/test-context/shared.ts'

const count = 120
/** The newest items have short arrays, the others long ones; the oldest items have neither an array nor a value. */
const withoutValue = 10
const elementsOf = (n: number): number => (n > 100 ? 1 : n > withoutValue ? 40 : 0)

const world = shared(async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  await addManyItems(db, {
    ...at,
    count,
    tag: 'a',
    keyOf: (n) => (n > withoutValue ? 'least' : null),
    elementsOf: (n) =>
      Array.from({ length: elementsOf(n) }, (_, each) => (each === 0 && n % 30 === 1 ? 'rare' : `e${each}`)),
  })
  return { db, ...at }
})

const withText = (indexId: string, text: string, keys: KeySet = allKeys): Question => ({
  kind: 'value',
  indexId,
  keys,
  texts: [{ kind: 'contains', text }],
  arrays: true,
})
const nowhere = (id: string, n = 0) => withText(id, `nowhere ${n}`)

/** Questions, and how many times each examines an element of an item. */
const questions: [claim: string, looks: number, question: (id: string) => Question][] = [
  ['a part of a text', 1, (id) => nowhere(id)],
  ['not a part of a text', 1, (id) => ({ kind: 'not', of: withText(id, 'e') })],
  ['either of two', 2, (id) => ({ kind: 'or', of: [nowhere(id), nowhere(id, 1)] })],
  ['both of two', 2, (id) => ({ kind: 'and', of: [nowhere(id), nowhere(id, 1)] })],
  [
    'one of two and not a third, or a fourth',
    4,
    (id) => ({
      kind: 'or',
      of: [
        {
          kind: 'and',
          of: [
            { kind: 'or', of: [nowhere(id), nowhere(id, 1)] },
            { kind: 'not', of: nowhere(id, 2) },
          ],
        },
        nowhere(id, 3),
      ],
    }),
  ],
]

const sum = (numbers: readonly number[]) => numbers.reduce((all, n) => all + n, 0)

type Listing = { set: ItemSet; request: ItemPageRequest }

const orders: [claim: string, listing: (set: ItemSet) => Listing][] = [
  ['in order of creation', (set) => ({ set, request: pageRequest({ after: '' }) })],
  ['from the oldest on', (set) => ({ set, request: pageRequest({ direction: 'asc', after: '' }) })],
  ['among those with a tag', (set) => ({ set: { ...set, tagged: [['a']] }, request: pageRequest({ after: '' }) })],
  ['sorted by size', (set) => ({ set, request: pageRequest({ order: 'size', after: '' }) })],
  [
    'with a tag, sorted by update',
    (set) => ({ set: { ...set, tagged: [['a']] }, request: pageRequest({ order: 'updatedAt', after: '' }) }),
  ],
  ['in order of values', (set) => ({ set, request: valuePageRequest(set.listId, { after: '' }) })],
  [
    'with a tag, sorted by values',
    (set) => ({ set: { ...set, tagged: [['a']] }, request: valuePageRequest(set.listId, { after: '' }) }),
  ],
]

for (const [claim, looks, question] of questions)
  for (const [order, listing] of orders)
    test(`${claim}, ${order}: a call examines no more rows and elements than allowed, and the walk continues`, async (t) => {
      const { db, accountId, listId } = await world()
      const maxExamined = 500
      const { set, request } = listing(asking(listId, question(listId)))
      const options = { accountId, set, filtered: true, withData: false, maxExamined }
      const left = Array.from({ length: count }, (_, n) => n + 1)
      if (request.direction === 'desc') left.reverse()
      const costOf = (numbers: readonly number[]) => sum(numbers.map((n) => 1 + looks * elementsOf(n)))
      const all = costOf(left)
      let calls = 1
      for (let after: string | null = ''; after !== null; ) {
        const { page } = await readItemPage(db, options, { ...request, after } as ItemPageRequest)
        const { next, examined = 0 } = page as CursorPage<unknown>
        const items = left.splice(0, next === null ? count : examined)
        t.true(items.length > 0 && costOf(items) <= maxExamined, `${items}`)
        if (next !== null) calls++
        after = next
      }
      t.true(calls >= Math.floor((all - withoutValue) / maxExamined), `${calls}`)
    })

for (const [order, listing] of orders)
  test(`a walk ${order} shows each item once, however few elements a call examines`, async (t) => {
    const { db, accountId, listId } = await world()
    const { set, request } = listing(asking(listId, withText(listId, 'are')))
    const read = async (after: string, maxExamined?: number) => {
      const options = { accountId, set, filtered: true, withData: false, ...(maxExamined && { maxExamined }) }
      const { page } = await readItemPage(db, options, { ...request, after, limit: 2 } as ItemPageRequest)
      return page as CursorPage<{ id: string }>
    }
    // A sorted page is found among the items that one call examines, so the smaller bounds are left out.
    for (const most of [...(order === 'sorted by size' ? [] : [1, 30, 90]), count, undefined]) {
      const shown: string[] = []
      for (let after: string | null = ''; after !== null; ) {
        const { data, next } = await read(after, most)
        shown.push(...data.map(({ id }) => id))
        after = next
      }
      const numbers = shown.map((id) => Number(id.slice(-12)))
      t.deepEqual(
        numbers.toSorted((one, other) => one - other),
        [31, 61, 91],
        `${most}`,
      )
    }
  })

test('a page by number examines elements like rows, and is too broad if that is not enough', async (t) => {
  const { db, accountId, listId } = await world()
  for (const [order, listing] of orders) {
    const { set, request } = listing(asking(listId, withText(listId, 'are')))
    const read = async (maxExamined: number) => {
      const options = { accountId, set, filtered: true, withData: false, maxExamined }
      const { after: _, ...rest } = Object(request)
      return (await readItemPage(db, options, { ...rest, page: 1 })).page as NumberedPage<unknown>
    }
    t.like(await read(20_000), { total: 3 }, order)
    t.false('totalIsAtLeast' in (await read(20_000)), order)
    const error = await t.throwsAsync(read(1_000), undefined, order)
    t.like(error, { name: 'QUESTION_TOO_BROAD', details: { examined: 1_000, parameter: 'page' } }, order)
    t.regex(String(error?.message), /items and elements of their arrays/)
  }
})

test('a whole element is found by its index, without checking any of its items', async (t) => {
  const { db, accountId, listId } = await world()
  const question: Question = {
    kind: 'value',
    indexId: listId,
    keys: { kind: 'any-of', keys: ['rare'] },
    texts: [],
    arrays: true,
  }
  for (const [order, listing] of orders.filter(([order]) => !order.includes('tag'))) {
    const { set, request } = listing(asking(listId, question))
    const options = { accountId, set, filtered: true, withData: false, maxExamined: 120 }
    const { page } = await readItemPage(db, options, request)
    t.is(page.data.length, 3, order)
  }
})
