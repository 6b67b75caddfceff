import test from 'ava'
import type { Database, Query } from '#shared/data/database.ts'
import { visibleItems } from '#shared/data/item-pages/item-set.ts'
import { findBest } from '#shared/data/search/best-items.ts'
import { searchItems } from '#shared/data/search/search.ts'
import { type SearchOptions, searchTerms } from '#shared/domain/search/query.ts'
import { wordsOf } from '#shared/domain/search/words.ts'
import { runBuilds } from '../../../support/databases/contents/index-jobs.ts'
import { storeItems } from '../../../support/databases/contents/indexed-items.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { type SearchedList, searchedList, storedWords } from '../../../support/search/searched-list.ts'

const all = { kind: 'all' } as const

type Find = SearchOptions & { seesAll?: boolean; visible?: boolean; maxExamined?: number }

async function search(db: Database, there: SearchedList, query: string, find: Find = {}) {
  const { seesAll = true, visible = true, maxExamined, ...options } = find
  const set = visibleItems(there.at.listId, visible ? all : { kind: 'own', identityId: 'ada' }, true)
  const asked = searchTerms(wordsOf(query), options)
  const limits = maxExamined === undefined ? {} : { maxExamined }
  const result = await searchItems(db.long, await there.terms(), { asked, set, seesAll, ...limits })
  if ('building' in result) throw new Error('the words are being built')
  return result
}

const find = async (...args: Parameters<typeof search>) => (await search(...args)).best

type Texts = ReadonlyMap<string, string>

/** Textbook BM25 over all texts; for a prefix, the most frequent matching word of each text counts. */
function expected(texts: Texts, query: string, { seesAll = true, prefix = false, match = 'any' }: Find = {}) {
  const split = new Map([...texts].map(([id, text]) => [id, text.split(' ').filter(Boolean)]))
  const mean = seesAll ? [...split.values()].reduce((sum, words) => sum + words.length, 0) / split.size : 50
  const typed = [...query.split(' ').entries()].filter(([n, word]) => query.split(' ').indexOf(word) === n)
  const scored = [...split].map(([itemId, words]) => {
    const scores = typed.map(([n, word]) => {
      const isBeginning = prefix && n === query.split(' ').length - 1
      const has = (other: string) => (isBeginning ? other.startsWith(word) : other === word)
      const entries = [...split.values()].map((others) => new Set(others.filter(has)).size)
      const holding = entries.reduce((sum, count) => sum + count, 0)
      const all = Math.max(split.size, holding)
      const idf = seesAll ? Math.log(1 + (all - holding + 0.5) / (holding + 0.5)) : 1
      const f = Math.max(0, ...words.filter(has).map((one) => words.filter((other) => other === one).length))
      return (idf * f * 2.2) / (f + 1.2 * (0.25 + (0.75 * words.length) / mean))
    })
    const isFound = match === 'any' || scores.every((score) => score > 0)
    return { itemId, score: isFound ? scores.reduce((sum, score) => sum + score, 0) : 0 }
  })
  const found = scored.filter(({ score }) => score > 0)
  return found.sort((one, other) => other.score - one.score || (one.itemId < other.itemId ? 1 : -1)).slice(0, 10)
}

const ways = [true, false].flatMap((seesAll): Find[] =>
  (['any', 'all'] as const).flatMap((match) => [
    { seesAll, match },
    { seesAll, match, prefix: true },
  ]),
)

test('the best ten are those of BM25 over all items, in its order, whatever the words', async (t) => {
  const { db } = await testDatabase(t)
  const there = await searchedList(db, ['title', 'body'])
  const random = numbersFrom(7)
  const word = () => `w${Math.floor(40 * random() ** 3)}`
  const texts = new Map<string, string>()
  for (let n = 0; n < 150; n++) {
    const [title, body] = [1 + random() * 5, random() ** 2 * 60].map((count) =>
      Array.from({ length: count }, word).join(' '),
    )
    texts.set(await there.write({ title, body }), `${title} ${body}`)
  }
  for (const query of [
    'w0',
    'w1',
    'w30',
    'w0 w1',
    'w2 w20 w39',
    'w0 w1 w2 w3 w4',
    'w5 none',
    'none',
    'w1 w',
    'w3 w1',
  ]) {
    for (const how of ways) {
      const said = `${query} ${JSON.stringify(how)}`
      const { best: found, isTruncated } = await search(db, there, query, how)
      const wanted = expected(texts, query, how)
      t.deepEqual(
        found.map(({ itemId }) => itemId),
        wanted.map(({ itemId }) => itemId),
        said,
      )
      for (const [n, { score }] of found.entries()) t.true(Math.abs(score - (wanted[n]?.score ?? 0)) < 1e-9, said)
      t.false(isTruncated, said)
    }
  }
})

/** Numbers between 0 and 1 that are the same in every run. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

test('of items that match equally well the newest comes first', async (t) => {
  const { db } = await testDatabase(t)
  const there = await searchedList(db, ['title'])
  const ids: string[] = []
  for (let n = 0; n < 60; n++) ids.push(await there.write({ title: 'Soup of the day' }))
  const found = await find(db, there, 'soup day')
  t.deepEqual(
    found.map(({ itemId }) => itemId),
    ids.toReversed().slice(0, 10),
  )
})

test('words are written with the item: created, changed, deleted and created again', async (t) => {
  const { db } = await testDatabase(t)
  const there = await searchedList(db, ['title'])
  const id = await there.write({ title: 'Tomato soup, soup!' })
  const other = await there.write({ title: 7 })
  t.deepEqual(await storedWords(db), { [id]: 'soup 2, tomato 1' })
  await there.write({ title: 'Pumpkin soup' }, { id, before: 1 })
  t.deepEqual(await storedWords(db), { [id]: 'pumpkin 1, soup 1' })
  t.deepEqual((await find(db, there, 'tomato')).length, 0)
  await there.write(null, { id, before: 2 })
  t.deepEqual(await storedWords(db), {})
  t.deepEqual(await find(db, there, 'soup'), [])
  await there.write({ title: 'Soup' }, { id: other, before: 1 })
  t.deepEqual(
    (await find(db, there, 'soup')).map(({ itemId }) => itemId),
    [other],
  )
})

test('items of which an earlier version has written a revision are not found by their old words', async (t) => {
  const { db } = await testDatabase(t)
  const there = await searchedList(db, ['title'])
  const id = await there.write({ title: 'Soup' })
  await db.run('update items set revision = 2 where id = ?', [id])
  t.deepEqual(await find(db, there, 'soup'), [])
  await there.write({ title: 'Soup' }, { id, before: 2 })
  t.is((await find(db, there, 'soup')).length, 1)
})

test('only items of the set are found, and others do not take their places', async (t) => {
  const { db } = await testDatabase(t)
  const there = await searchedList(db, ['title'])
  const own: string[] = []
  for (let n = 0; n < 120; n++) {
    const id = await there.write({ title: n % 40 === 0 ? 'a long name of soup' : 'soup' })
    if (n % 40 === 0) own.push(id)
  }
  await db.run(`update items set identity_id = 'ada' where id in (?, ?, ?)`, own)
  const found = await find(db, there, 'soup', { visible: false, seesAll: false })
  t.deepEqual(
    found.map(({ itemId }) => itemId),
    own.toReversed(),
  )
})

test('if hidden items fill the entries that may be examined, all visible items are examined if they are few', async (t) => {
  const { db } = await testDatabase(t)
  const there = await searchedList(db, ['title'])
  const own: string[] = []
  for (let n = 0; n < 90; n++) {
    const id = await there.write({ title: n % 30 === 0 ? `a long name of tomato soup${n}` : 'soup soup soups' })
    if (n % 30 === 0) own.push(id)
  }
  await db.run(`update items set identity_id = 'ada' where id in (?, ?, ?)`, own)
  const seen = { visible: false, seesAll: false }
  for (const [query, options, found] of [
    ['soup0 soup', {}, 1],
    ['soup', { prefix: true }, 3],
    ['name soup', { prefix: true, match: 'all' }, 3],
    ['soup none', {}, 0],
  ] as const) {
    const { best, isTruncated } = await search(db, there, query, { ...seen, ...options, maxExamined: 40 })
    t.deepEqual([best.length, isTruncated], [found, false], query)
    t.deepEqual(best, (await search(db, there, query, { ...seen, ...options })).best, query)
  }
  await db.run(`update items set identity_id = 'ada' where id not in (?, ?, ?)`, own)
  const tooMany = await search(db, there, 'soup none', { ...seen, maxExamined: 40 })
  t.deepEqual([tooMany.best.length, tooMany.isTruncated], [10, false])
  await db.run(`update items set identity_id = 'bob'`)
  await db.run(`update items set activated = 0`)
  t.deepEqual(await search(db, there, 'soup', { seesAll: false, maxExamined: 40 }), { best: [], isTruncated: false })
})

test('if they are not few, the response says that entries were left out', async (t) => {
  const { db } = await testDatabase(t)
  const there = await searchedList(db, ['title'])
  for (let n = 0; n < 60; n++) await there.write({ title: 'soup' })
  const own = [await there.write({ title: 'a soup with a long name' })]
  for (let n = 0; n < 20; n++) own.push(await there.write({ title: 'pie' }))
  for (const id of own) await db.run(`update items set identity_id = 'ada' where id = ?`, [id])
  const seen = { visible: false, seesAll: false }
  t.deepEqual(await search(db, there, 'soup', { ...seen, maxExamined: 20 }), { best: [], isTruncated: true })
  const { best, isTruncated } = await search(db, there, 'soup', { ...seen, maxExamined: 21 })
  t.deepEqual([best.map(({ itemId }) => itemId), isTruncated], [[own[0]], false])
})

test('another searched index gives stored items other words, which are built while others write', async (t) => {
  const { db } = await testDatabase(t)
  const there = await searchedList(db, [])
  const [stored, gone] = await storeItems(db, there.at, [
    { title: 'Soup', body: 'Hot' },
    { title: 'Stew', body: 'Cold' },
  ])
  const title = await there.addIndex('title')
  const fresh = await there.write({ title: 'Bread', body: 'Warm' })
  await there.write({ title: 'Roast' }, { id: String(gone), before: 1 })
  await runBuilds(db)
  t.deepEqual(await storedWords(db), { [String(stored)]: 'soup 1', [fresh]: 'bread 1', [String(gone)]: 'roast 1' })
  await there.addIndex('body')
  await runBuilds(db)
  t.deepEqual(await storedWords(db), {
    [String(stored)]: 'hot 1, soup 1',
    [fresh]: 'bread 1, warm 1',
    [String(gone)]: 'roast 1',
  })
  await there.change({ before: title, after: null })
  await runBuilds(db)
  t.deepEqual(await storedWords(db), { [String(stored)]: 'hot 1', [fresh]: 'warm 1' })
  t.deepEqual(await db.all('select 1 from term_builds union all select 1 from term_purges'), [])
})

test('a list without a searched index has no words, and those of a deleted list are purged', async (t) => {
  const { db } = await testDatabase(t)
  const there = await searchedList(db, ['title'])
  const [index] = there.indexes
  if (!index) return t.fail()
  for (let n = 0; n < 30; n++) await there.write({ title: `Soup ${n}` })
  await there.change({ before: index, after: { ...index, searching: false } })
  t.is((await there.list()).termsId, null)
  await runBuilds(db)
  t.deepEqual(await db.all('select item_id from item_terms'), [])
})

test('no more rows of words are examined than allowed, whatever the words', async (t) => {
  const { db } = await testDatabase(t)
  const there = await searchedList(db, ['title'])
  for (let n = 0; n < 60; n++) await there.write({ title: `soup stew ${n} ${'more '.repeat(n % 7)}` })
  const terms = await there.terms()
  const set = visibleItems(there.at.listId, { kind: 'own', identityId: 'ada' }, true)
  const words = ['soup', 'more']
  const scale = {
    terms: words.map((text) => ({ text, isBeginning: false, weight: 1 })),
    meanLength: 50,
    needsAll: false,
  }
  const lists = [1, 2, 3, 4, 5, 6].flatMap((band) => words.map((word, term) => ({ term, word, band })))
  for (const maxExamined of [1, 20, 50]) {
    let examined = 0
    const all: Database['all'] = async <R>(query: Query, bindings?: readonly unknown[]) => {
      const rows = await db.all<R>(query, bindings)
      const isOfWords = rows.some((row) => Object.hasOwn(Object(row), 'list'))
      if (isOfWords) examined = Math.max(examined, rows.length)
      return rows
    }
    const found = await findBest({ ...db, all }, terms, { scale, lists, driving: null, set, maxExamined })
    t.deepEqual(found, { best: [], isTruncated: true })
    t.true(examined <= Math.max(maxExamined, lists.length), `${examined}`)
  }
})
