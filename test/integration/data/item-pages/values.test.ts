import test from 'ava'
import { Conflict } from '#shared/data/conflict.ts'
import type { Database } from '#shared/data/database.ts'
import type { ItemSet } from '#shared/data/item-pages/item-set.ts'
import { type ItemPageRequest, readItemPage } from '#shared/data/item-pages/page.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import type { CursorPage, NumberedPage } from '#shared/data/pages/page.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { itemChange, makeList } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { randomPageWithQuestions } from '../../../support/databases/questions/random-questions.ts'
import {
  type At,
  compareItems,
  entriesOf,
  fill,
  makeItem,
  names,
  type RandomPage,
  randomPage,
  valuesId,
} from '../../../support/databases/questions/random-values.ts'
import { seeded } from '../../../support/load/random-json.ts'

/** Pages by filters, alone and with questions. */
const kinds = [
  ['filter', randomPage],
  ['question', randomPageWithQuestions],
] as const

type Listing = Pick<RandomPage, 'set' | 'order' | 'direction'>
type Position = { limit: number; page: number } | { limit: number; after: string }

function requestFor({ set, order, direction }: Listing, position: Position): ItemPageRequest {
  const common = { direction, filters: '{}', ...position }
  if (order === 'createdAt') return { ...common, order }
  const orderIndex = valuesId(set.listId, order)
  return { ...common, order: orderIndex, orderIndex }
}

async function read(db: Database, { accountId }: At, listing: Listing, position: Position, maxExamined?: number) {
  const bound = maxExamined === undefined ? {} : { maxExamined }
  const options = { accountId, set: listing.set, filtered: true, withData: false, ...bound }
  return (await readItemPage(db, options, requestFor(listing, position))).page
}

for (const [kind, makePage] of kinds)
  test(`every ${kind} in every order equals the result computed in memory, by page and by cursor`, async (t) => {
    const { db } = await testDatabase(t)
    const [at, other] = [await makeList(db), await makeList(db)]
    const random = seeded(11)
    const committer = createCommitter(db, { announce() {} })
    const items = await fill(committer, at, 80, random)
    await fill(committer, other, 10, random)
    for (let round = 0; round < 250; round++) {
      const wanted = makePage(at, random)
      const expected = items
        .filter(wanted.passes)
        .sort(compareItems(wanted.order, wanted.direction))
        .map(({ id }) => id)
      const what = JSON.stringify(wanted)
      const [limit, page] = [1 + Math.floor(random() * 12), 1 + Math.floor(random() * 3)]
      const numbered = (await read(db, at, wanted, { limit, page })) as NumberedPage<Item>
      const ids = numbered.data.map(({ id }) => id)
      t.deepEqual(ids, expected.slice((page - 1) * limit, page * limit), what)
      t.is(numbered.total, expected.length, what)
      const walked: string[] = []
      for (let after: string | null = ''; after !== null; ) {
        const { data, next } = (await read(db, at, wanted, { limit, after })) as CursorPage<Item>
        walked.push(...data.map(({ id }) => id))
        after = next
      }
      t.deepEqual(walked, expected, what)
    }
  })

for (const [kind, makePage] of kinds)
  test(`however few rows a call examines for a ${kind}, a walk by cursor shows each item once, and a page by number is right or rejected`, async (t) => {
    const { db } = await testDatabase(t)
    const at = await makeList(db)
    const random = seeded(13)
    const items = await fill(createCommitter(db, { announce() {} }), at, 60, random)
    const rejected = { short: 0, tooBroad: 0 }
    for (let round = 0; round < 250; round++) {
      const wanted = makePage(at, random)
      const expected = items
        .filter(wanted.passes)
        .sort(compareItems(wanted.order, wanted.direction))
        .map(({ id }) => id)
      const what = JSON.stringify(wanted)
      const [limit, page, most] = [5, 1 + Math.floor(random() * 3), 1 + Math.floor(random() * 30)]
      const walked: string[] = []
      for (let after: string | null = ''; after !== null; ) {
        const { data, next } = (await read(db, at, wanted, { limit, after }, most)) as CursorPage<Item>
        if (data.length < limit && next !== null) rejected.short++
        walked.push(...data.map(({ id }) => id))
        after = next
      }
      t.deepEqual(walked, expected, what)
      try {
        const numbered = (await read(db, at, wanted, { limit, page }, most)) as NumberedPage<Item>
        const ids = numbered.data.map(({ id }) => id)
        t.deepEqual(ids, expected.slice((page - 1) * limit, page * limit), what)
        if (numbered.totalIsAtLeast) t.true(numbered.total <= expected.length, what)
        else t.is(numbered.total, expected.length, what)
      } catch (error) {
        t.like(error, { name: 'QUESTION_TOO_BROAD', details: { examined: most, parameter: 'page' } }, what)
        rejected.tooBroad++
      }
    }
    t.true(rejected.short > 20 && rejected.tooBroad > 5, JSON.stringify(rejected))
  })

test('a walk by cursor while values change shows each untouched item once, and no state of an item twice', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const random = seeded(12)
  const committer = createCommitter(db, { announce() {} })
  const items = await fill(committer, at, 60, random)
  const [touched, untouched] = [items.slice(0, 30), items.slice(30)]
  let walking = true
  const writers = touched.map(async (item) => {
    for (let before = item; walking; ) {
      const { data, activated } = makeItem(at, random)
      const after = { ...before, data, activated, revision: before.revision + 1 }
      const revised = { itemId: item.id, expectedRevision: before.revision, after }
      const change = { ...revised, indexValues: entriesOf(after), arrays: true } as const
      await committer.commit(itemChange(at, change)).catch((error) => {
        if (!(error instanceof Conflict)) throw error
      })
      before = after
    }
  })
  for (const order of names) {
    for (const direction of ['asc', 'desc'] as const) {
      const set: ItemSet = { ...randomPage(at, random).set, activated: null, readonly: null, tagged: [], values: [] }
      const shown: Item[] = []
      for (let after: string | null = ''; after !== null; ) {
        const { data, next } = (await read(db, at, { set, order, direction }, { limit: 7, after })) as CursorPage<Item>
        shown.push(...data)
        after = next
      }
      const revisions = shown.map(({ id, revision }) => `${id} ${revision}`)
      t.is(new Set(revisions).size, revisions.length, `${order} ${direction}`)
      t.deepEqual(
        shown.filter(({ id }) => untouched.some((item) => item.id === id)).map(({ id }) => id),
        untouched.toSorted(compareItems(order, direction)).map(({ id }) => id),
        `${order} ${direction}`,
      )
    }
  }
  walking = false
  await Promise.all(writers)
})
