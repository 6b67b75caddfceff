import test from 'ava'
import { type ItemPageRequest, readItemPage } from '#shared/data/item-pages/page.ts'
import { makeCursor } from '#shared/data/pages/cursor.ts'
import { maxCounted } from '#shared/domain/limits.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { pageRequest, valuePageRequest } from '../../../support/databases/questions/item-sets.ts'
import { asking, servedByValue, servedInOrder, unserved } from '../../../support/databases/questions/question-sets.ts'
import { analyze, countRowsRead } from '../../../support/databases/questions/rows-read.ts'
import { shared } from '../../../support/test-context/shared.ts'

const world = shared(async (t) => {
  const { db: real } = await testDatabase(t)
  const at = await makeList(real)
  await addManyItems(real, { ...at, count: 10_500, tag: 'a', keyOf: (n) => (n % 2 === 0 ? 'even' : 'odd') })
  await analyze(real, 'items', 'item_tags', 'index_values')
  return { real, ...at }
})

test('a page of an or is read from the ranges of its conditions, from the first row and from the middle', async (t) => {
  const { real, accountId, listId } = await world()
  const middle = (request: ItemPageRequest, key: number | string) =>
    makeCursor({ key, id: `${listId.slice(-8)}-0000-7000-9000-000000005000` }, request)
  for (const [claim, question] of [...servedInOrder, ...servedByValue]) {
    for (const direction of ['asc', 'desc'] as const) {
      const isByValue = servedByValue.some(([other]) => other === claim)
      const request = isByValue
        ? valuePageRequest(listId, { direction, after: '' })
        : pageRequest({ direction, after: '' })
      for (const after of ['', middle(request, isByValue ? 'odd' : 5_000)]) {
        const options = { accountId, set: asking(listId, question(listId)), filtered: true, withData: true }
        const asked = { ...request, after } as typeof request
        for (let times = 0; times < 6; times++) await readItemPage(real, options, asked)
        const { db, rowsRead } = countRowsRead(real)
        const { page } = await readItemPage(db, options, asked)
        t.is(page.data.length, 20)
        // Rows of each range are examined 128 at a time, with their entries and tags.
        t.true(rowsRead() <= 3_000, `${rowsRead()}: ${claim}, ${direction}, ${after}`)
      }
    }
  }
})

test('a page limited by rules is read from the ranges of their conditions, like one with filters', async (t) => {
  const { real, accountId, listId } = await world()
  const request = pageRequest({ after: '' })
  for (const [claim, question] of servedInOrder) {
    const set = { ...asking(listId), visible: { kind: 'asked', question: question(listId) } as const, questions: [] }
    const options = { accountId, set, filtered: true, withData: true }
    for (let times = 0; times < 6; times++) await readItemPage(real, options, request)
    const { db, rowsRead } = countRowsRead(real)
    t.is((await readItemPage(db, options, request)).page.data.length, 20)
    t.true(rowsRead() <= 3_000, `${rowsRead()}: ${claim}`)
  }
})

test('a filter that no index serves examines no more items than a call may', async (t) => {
  const { real, accountId, listId } = await world()
  const maxExamined = 1_000
  for (const [claim, question] of unserved) {
    const { db, rowsRead } = countRowsRead(real)
    const options = { accountId, set: asking(listId, question(listId)), filtered: true, withData: true, maxExamined }
    const { page } = await readItemPage(db, options, pageRequest({ after: '' }))
    t.deepEqual(page.data, [], claim)
    t.true((Object(page).examined ?? maxExamined) <= maxExamined, JSON.stringify(page))
    t.true(rowsRead() <= maxCounted + 20 * maxExamined, `${rowsRead()}: ${claim}`)
  }
})

test('items requested by id are the only ones read, in every order', async (t) => {
  const { real, accountId, listId } = await world()
  const ids = [7, 9_001, 40_000].map((n) => `${listId.slice(-8)}-0000-7000-9000-${String(n).padStart(12, '0')}`)
  for (const request of [pageRequest({ after: '' }), valuePageRequest(listId, { after: '' })]) {
    const { db, rowsRead } = countRowsRead(real)
    const options = { accountId, set: asking(listId, { kind: 'id', ids }), filtered: true, withData: true }
    const { page } = await readItemPage(db, options, request)
    t.deepEqual(page.data.map(({ id }) => id).sort(), ids.slice(0, 2))
    t.true(rowsRead() <= 100, `${rowsRead()}`)
  }
})
