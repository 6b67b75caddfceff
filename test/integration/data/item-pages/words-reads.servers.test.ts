import test from 'ava'
import { type ItemPageRequest, readItemPage } from '#shared/data/item-pages/page.ts'
import { makeCursor } from '#shared/data/pages/cursor.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { testBackend, testDatabase } from '../../../support/databases/database.ts'
import { pageRequest, valuePageRequest } from '../../../support/databases/questions/item-sets.ts'
import { asking, havingWords, notHavingWords } from '../../../support/databases/questions/question-sets.ts'
import { analyze, countRowsRead } from '../../../support/databases/questions/rows-read.ts'
import { shared } from '../../../support/test-context/shared.ts'

const termsId = 7

/** MySQL reads counted rows, and then their copy. */
const counted = 10_001 * (testBackend === 'mysql' ? 2 : 1)

/** Every item has the same four words, and one in 250 has a rare one too. */
const world = shared(async (t) => {
  const { db: real } = await testDatabase(t)
  const at = await makeList(real)
  const words = { termsId, of: (n: number) => ['soup', 'of', 'the', 'day', ...(n % 250 === 0 ? ['rare'] : [])] }
  const keyOf = (n: number) => (n % 2 === 0 ? 'even' : 'odd')
  await addManyItems(real, { ...at, count: 10_500, tag: 'a', keyOf, words })
  // Postgres also does this automatically: it counts words in their index once it knows which pages all transactions see.
  if (testBackend === 'postgres') await real.run('vacuum item_terms')
  await analyze(real, 'items', 'item_tags', 'index_values', 'item_terms')
  return { real, ...at }
})

async function rowsOfPage(words: readonly string[], requestFor: (listId: string) => ItemPageRequest, shown = 20) {
  const { real, accountId, listId } = await world()
  const options = { accountId, set: asking(listId, havingWords(termsId, words)), filtered: true, withData: true }
  const request = requestFor(listId)
  for (let times = 0; times < 6; times++) await readItemPage(real, options, request)
  const { db, rowsRead } = countRowsRead(real)
  const { page } = await readItemPage(db, options, request)
  if (page.data.length !== shown) throw new Error(`${page.data.length} items`)
  return rowsRead()
}

test.serial('only the items with a rare word are read, whatever the order', async (t) => {
  for (const requestFor of [
    () => pageRequest({ after: '' }),
    () => pageRequest({ direction: 'asc', order: 'updatedAt', after: '' }),
    () => pageRequest({ order: 'size', after: '' }),
    (listId: string) => valuePageRequest(listId, { direction: 'desc', after: '' }),
  ]) {
    for (const words of [['rare'], ['rare', 'none']]) {
      const rows = await rowsOfPage(words, requestFor)
      // For each of 42 items: its words, which are counted twice, the item, its revision and its key in the order.
      t.true(rows <= 1_200, `${rows}: ${words}`)
    }
  }
})

test.serial(
  'a word that most items have is searched in the order of the page, from the first row and from the middle',
  async (t) => {
    const { listId } = await world()
    for (const direction of ['asc', 'desc'] as const) {
      const request = pageRequest({ direction, after: '' })
      const middle = makeCursor({ key: 5_000, id: `${listId.slice(-8)}-0000-7000-9000-000000005000` }, request)
      for (const after of ['', middle]) {
        const rows = (await rowsOfPage(['soup'], () => ({ ...request, after }) as ItemPageRequest)) - counted
        // Rows are examined 128 at a time, with their words and revisions.
        t.true(rows <= 2_500, `${rows}: ${direction} ${after}`)
      }
    }
  },
)

test.serial('if no index finds the items, a call examines no more than allowed', async (t) => {
  const { real, accountId, listId } = await world()
  const maxExamined = 1_000
  for (const question of [notHavingWords(termsId, ['soup']), notHavingWords(termsId, ['day', 'rare'])]) {
    const { db, rowsRead } = countRowsRead(real)
    const options = { accountId, set: asking(listId, question), filtered: true, withData: true, maxExamined }
    const { page } = await readItemPage(db, options, pageRequest({ after: '' }))
    t.like(page, { data: [], examined: maxExamined })
    t.true(rowsRead() <= 20 * maxExamined, `${rowsRead()}`)
    await t.throwsAsync(readItemPage(real, options, pageRequest({})), { message: /1000 items/ })
  }
})

test.serial('a rarer filter finds the items, and their words are looked up', async (t) => {
  const { real, accountId, listId } = await world()
  const values = [{ indexId: listId, keys: { kind: 'range', min: 'x', end: null } as const, texts: [] }]
  const options = {
    accountId,
    set: { ...asking(listId, havingWords(termsId, ['soup'])), values },
    filtered: true,
    withData: true,
  }
  const { db, rowsRead } = countRowsRead(real)
  const { page } = await readItemPage(db, options, pageRequest({}))
  t.like(page, { data: [], total: 0 })
  t.true(rowsRead() <= counted + 100, `${rowsRead()}`)
})
