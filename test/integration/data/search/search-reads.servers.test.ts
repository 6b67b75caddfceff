import test from 'ava'
import { visibleItems } from '#shared/data/item-pages/item-set.ts'
import { searchItems } from '#shared/data/search/search.ts'
import { maxExamined } from '#shared/domain/limits.ts'
import { type SearchOptions, searchTerms } from '#shared/domain/search/query.ts'
import { maxCountedItems } from '#shared/domain/search/score.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { testBackend, testDatabase } from '../../../support/databases/database.ts'
import { all } from '../../../support/databases/questions/item-sets.ts'
import { analyze, countRowsRead } from '../../../support/databases/questions/rows-read.ts'
import { shared } from '../../../support/test-context/shared.ts'

const termsId = 7

/** Every item has two common words, and one in 250 a rare one too; other words vary the length. */
const world = shared(async (t) => {
  const { db: real } = await testDatabase(t)
  const at = await makeList(real)
  const more = ['a', 'b', 'c', 'd', 'e', 'f']
  const words = {
    termsId,
    of: (n: number) => ['soup', 'day', ...more.slice(0, n % 7), ...(n % 250 === 0 ? ['rare'] : [])],
  }
  await addManyItems(real, { ...at, count: 10_500, words })
  // Postgres also does this automatically: it reads only the index once it knows which pages all transactions see.
  if (testBackend === 'postgres') await real.run('vacuum item_terms')
  await analyze(real, 'items', 'item_terms', 'lists')
  return { real, ...at }
})

/** The words of a search, how many of their items are counted, and how many other rows it may read. */
const searches: [words: string[], counted: number, others: number, options?: SearchOptions][] = [
  [['rare'], 42, 1_000],
  [['soup'], maxCountedItems, 1_500],
  [['rare', 'soup'], 42 + maxCountedItems, 5_000],
  [['soup', 'day'], 2 * maxCountedItems, maxExamined],
  [['none'], 0, 50],
  [['rar'], 42, 1_000, { prefix: true }],
  [['sou'], maxCountedItems, 2_500, { prefix: true }],
  [['soup', 'rare'], 42 + maxCountedItems, 2_000, { match: 'all' }],
  [['soup', 'none'], maxCountedItems, 50, { match: 'all' }],
  // For a database it may be as cheap to read every word with the prefix as to look up the words of 42 items.
  [['rare', 'so'], 42 + maxCountedItems, 13_000, { match: 'all', prefix: true }],
]

/** The mean length is computed from this number of items. */
const measured = 1_000

for (const [words, counted, others, options = {}] of searches) {
  test.serial(
    `a search for ${words.join(' and ')} ${JSON.stringify(options)} counts their items in the index, and reads few of them`,
    async (t) => {
      const { real, listId } = await world()
      const terms = { listId, configVersion: 1, termsId }
      const request = { asked: searchTerms(words, options), set: visibleItems(listId, all, true), seesAll: true }
      for (let times = 0; times < 6; times++) await searchItems(real, terms, request)
      const { db, rowsRead } = countRowsRead(real)
      const result = await searchItems(db, terms, request)
      t.is('best' in result && result.best.length, words.includes('none') ? 0 : 10)
      // MySQL reads counted rows, and then their copy.
      const perCount = testBackend === 'mysql' ? 2 : 1
      t.true(rowsRead() <= perCount * (counted + measured) + others, `${rowsRead()}`)
    },
  )
}
