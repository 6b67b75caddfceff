import test from 'ava'
import { visibleItems } from '#shared/data/item-pages/item-set.ts'
import { searchItems } from '#shared/data/search/search.ts'
import { type SearchOptions, searchTerms } from '#shared/domain/search/query.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { all } from '../../../support/databases/questions/item-sets.ts'
import { analyze } from '../../../support/databases/questions/rows-read.ts'
import { shared } from '../../../support/test-context/shared.ts'

const termsId = 7
const count = 4_000
const length = 20

/** The words of the n-th item: two frequent words, rarely many times, and filler words. Every text has the same length. */
function wordsOf(n: number): string[] {
  const soups = oftenOf((n * 48_271) % 2_147_483_647)
  const days = oftenOf((n * 16_807 * 31) % 2_147_483_647)
  const words = [...Array(soups).fill('soup'), ...Array(days).fill('day'), ...(n % 97 === 0 ? ['daily'] : [])]
  return [...words, ...Array(length - words.length).fill(`x${n}`)]
}

const oftenOf = (random: number) => Math.min(8, Math.floor(-1.6 * Math.log((1 + (random % 9_973)) / 9_974)))

const world = shared(async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  await addManyItems(db, { ...at, count, words: { termsId, of: wordsOf } })
  await analyze(db, 'items', 'item_terms', 'lists')
  return { db, ...at }
})

/** The best ten by BM25 over all items, which have the same length; each word has the same weight. */
function expected(
  typed: readonly string[],
  { prefix = false, match = 'any' }: SearchOptions,
): [n: number, score: number][] {
  const scored = Array.from({ length: count }, (_, at): [number, number] => {
    const scores = typed.map((word, place) => {
      const begins = prefix && place === typed.length - 1
      const found = wordsOf(at + 1).filter((other) => (begins ? other.startsWith(word) : other === word))
      const most = Math.max(0, ...new Set(found).values().map((one) => found.filter((other) => other === one).length))
      return (most * 2.2) / (most + 1.2 * (0.25 + (0.75 * length) / 50))
    })
    const isFound = match === 'any' || scores.every((score) => score > 0)
    return [at + 1, isFound ? scores.reduce((sum, score) => sum + score, 0) : 0]
  })
  const best = scored.filter(([, score]) => score > 0).sort((one, other) => other[1] - one[1] || other[0] - one[0])
  return best.slice(0, 10)
}

const searches: [typed: string[], options: SearchOptions][] = [
  [['soup', 'day'], {}],
  [['soup', 'day'], { match: 'all' }],
  [['soup', 'da'], { prefix: true }],
  [['daily', 'so'], { prefix: true, match: 'all' }],
  [['soup', 'daily'], { match: 'all' }],
  [['soup', 'day', 'daily'], {}],
]

for (const [typed, options] of searches) {
  test.serial(`the best ten of thousands are found by ${typed.join(' ')} ${JSON.stringify(options)}`, async (t) => {
    const { db, listId } = await world()
    const set = visibleItems(listId, all, true)
    const terms = { listId, configVersion: 1, termsId }
    const asked = searchTerms(typed, options)
    const found = await searchItems(db, terms, { asked, set, seesAll: false })
    if (!('best' in found)) return t.fail()
    const wanted = expected(typed, options)
    t.false(found.isTruncated)
    t.deepEqual(
      found.best.map(({ itemId }) => Number(itemId.slice(-12))),
      wanted.map(([n]) => n),
    )
    for (const [n, { score }] of found.best.entries()) t.true(Math.abs(score - (wanted[n]?.[1] ?? 0)) < 1e-9)
  })
}
