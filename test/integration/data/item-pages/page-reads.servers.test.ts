import test from 'ava'
import { visibleItems } from '#shared/data/item-pages/item-set.ts'
import { readItemPage } from '#shared/data/item-pages/page.ts'
import { indexValueRows } from '#shared/data/items/item-rows.ts'
import { findItems, findItemsByAlias } from '#shared/data/items/items.ts'
import { makeCursor } from '#shared/data/pages/cursor.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import { allKeys } from '#shared/domain/item/questions/key-filter.ts'
import { maxCounted } from '#shared/domain/limits.ts'
import { readTextFilter } from '#shared/domain/text/filter.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import {
  all,
  indexedSets,
  pageRequest,
  valuePageRequest,
  valueSets,
} from '../../../support/databases/questions/item-sets.ts'
import { analyze, countRowsRead } from '../../../support/databases/questions/rows-read.ts'
import { me, seenBy } from '../../../support/rules/frequent-rules.ts'

test('every page reads only what it shows and merges, however many items the list has', async (t) => {
  const { db: real } = await testDatabase(t)
  const { accountId, listId } = await makeList(real)
  await addManyItems(real, { accountId, listId, count: 10_000, tag: 'a' })
  await real.run("update items set identity_id = 'ada' where readonly = 1")
  await analyze(real, 'items', 'item_tags')
  // Without sets of two tags: the rarer of these is found by counting up to 10,000 items.
  for (const [claim, setOf, orders] of indexedSets.filter(([, setOf]) => setOf(listId).tagged.length < 2)) {
    for (const order of orders) {
      for (const direction of ['asc', 'desc'] as const) {
        const { db, rowsRead } = countRowsRead(real)
        const options = { accountId, set: setOf(listId), filtered: true, withData: true }
        const request = pageRequest({ order, direction, after: '' })
        await untilPlanned(() => readItemPage(real, options, request))
        await readItemPage(db, options, request)
        // Rows that must be checked are examined 128 at a time.
        t.true(rowsRead() <= 1_200, `${rowsRead()}: ${claim}, ${order} ${direction}`)
      }
    }
  }
})

/** From the sixth time on Postgres may keep one plan for all values. */
async function untilPlanned(read: () => Promise<unknown>): Promise<void> {
  for (let times = 0; times < 6; times++) await read()
}

test('a page in the order of values reads only what it shows and merges, however many items have one value or none', async (t) => {
  const { db: real } = await testDatabase(t)
  const { accountId, listId } = await makeList(real)
  await addManyItems(real, { accountId, listId, count: 10_000, keyOf: (n) => (n % 2 === 0 ? null : 'x') })
  await analyze(real, 'items', 'index_values')
  for (const [claim, setOf] of valueSets) {
    for (const direction of ['asc', 'desc'] as const) {
      const request = valuePageRequest(listId, { direction, after: '' })
      const middle = (key: string | null) =>
        makeCursor({ key, id: `${listId.slice(-8)}-0000-7000-9000-000000005000` }, request)
      for (const after of ['', middle('x'), middle(null)]) {
        const { db, rowsRead } = countRowsRead(real)
        const options = { accountId, set: setOf(listId), filtered: true, withData: true }
        await untilPlanned(() => readItemPage(real, options, { ...request, after } as typeof request))
        await readItemPage(db, options, { ...request, after } as typeof request)
        t.true(rowsRead() <= 900, `${rowsRead()}: ${claim}, ${direction}, ${after}`)
      }
    }
  }
})

test('items with one of several values are found by the values, even while the server has no statistics of the table', async (t) => {
  const { db: real } = await testDatabase(t)
  const { accountId, listId } = await makeList(real)
  await addManyItems(real, { accountId, listId, count: 10_000, keyOf: (n) => `k${n}` })
  const numbered = (count: number) => Array.from({ length: count }, (_, n) => `k${n * 7 + 1}`)
  for (const keys of [['k7'], ['k7', 'k8', 'none'], ...[9, 20, 50, 100].map(numbered)]) {
    const { db, rowsRead } = countRowsRead(real)
    const values = [{ indexId: listId, keys: { kind: 'any-of', keys } as const, texts: [] }]
    const options = { accountId, set: { ...visibleItems(listId, all, null), values }, filtered: true, withData: true }
    await readItemPage(db, options, pageRequest({ page: 1 }))
    t.true(rowsRead() <= 300 + 20 * keys.length, `${rowsRead()}: ${keys}`)
  }
})

test('items with one of several values are read in order of creation, even if newer items have other values', async (t) => {
  const { db: real } = await testDatabase(t)
  const { accountId, listId } = await makeList(real)
  await addManyItems(real, { accountId, listId, count: 21_000, keyOf: (n) => (n <= 20_500 ? `old${n % 2}` : 'new') })
  await analyze(real, 'items', 'index_values')
  const values = [{ indexId: listId, keys: { kind: 'any-of', keys: ['old0', 'old1'] } as const, texts: [] }]
  const options = { accountId, set: { ...visibleItems(listId, all, null), values }, filtered: true, withData: true }
  for (const direction of ['asc', 'desc'] as const) {
    const { db, rowsRead } = countRowsRead(real)
    const request = pageRequest({ direction, after: '' })
    await untilPlanned(() => readItemPage(real, options, request))
    await readItemPage(db, options, request)
    t.true(rowsRead() <= 600, `${rowsRead()}: ${direction}`)
  }
})

test('a call examines no more rows than allowed, even if no index serves it', async (t) => {
  const { db: real } = await testDatabase(t)
  const { accountId, listId } = await makeList(real)
  await addManyItems(real, { accountId, listId, count: 10_500, tag: 'a', keyOf: (n) => (n % 2 === 0 ? 'even' : 'odd') })
  await analyze(real, 'items', 'item_tags', 'index_values')
  const [whole, maxExamined] = [visibleItems(listId, all, null), 1_000]
  const part = { indexId: listId, keys: allKeys, texts: [readTextFilter('nowhere')] }
  const few = { ...whole, tagged: [['nobody', 'a']], values: [part] }
  const sets = [{ ...whole, values: [part] }, few]
  for (const set of sets) {
    for (const request of [pageRequest({ after: '' }), valuePageRequest(listId, { after: '' })]) {
      const { db, rowsRead } = countRowsRead(real)
      const options = { accountId, set, filtered: true, withData: true, maxExamined }
      await untilPlanned(() => readItemPage(real, options, request))
      const { page } = await readItemPage(db, options, request)
      t.deepEqual(page.data, [])
      t.true((Object(page).examined ?? 0) >= maxExamined / 2, JSON.stringify(page))
      // Each row is read with its entries in other indexes, and a tag or condition is first counted up to what can be sorted.
      t.true(
        rowsRead() <= maxCounted + 20 * maxExamined,
        `${rowsRead()}: ${JSON.stringify(set.tagged)}, ${request.order}`,
      )
    }
  }
})

test('a page by number in the order of values checks no more rows than it needs, however many items are found', async (t) => {
  const { db: real } = await testDatabase(t)
  const { accountId, listId } = await makeList(real)
  await addManyItems(real, { accountId, listId, count: 10_500, tag: 'a', keyOf: (n) => `k${n}` })
  await analyze(real, 'items', 'item_tags', 'index_values')
  const { db, rowsRead } = countRowsRead(real)
  const set = { ...visibleItems(listId, all, null), tagged: [['a']] }
  const request = valuePageRequest(listId, { page: 2 })
  const { page } = await readItemPage(db, { accountId, set, filtered: true, withData: true }, request)
  t.is(page.data.length, request.limit)
  // The items with the tag are first counted, up to 10,000; MySQL reads counted rows twice.
  t.true(rowsRead() <= 2 * maxCounted + 2_000, `${rowsRead()}`)
})

test('the total of conditions in "or" reads what they find, however many other items the list has', async (t) => {
  const { db: real } = await testDatabase(t)
  const at = await makeList(real)
  const keyOf = (n: number) => ['published', me][n % 20] ?? 'draft'
  await addManyItems(real, { ...at, count: 20_000, keyOf: (n) => (n % 400 === 3 ? 'few' : keyOf(n)) })
  await analyze(real, 'items', 'index_values')
  for (const [author, total] of [
    ['eq:$identity.id', 2_000],
    // Few enough to look up each item.
    ['eq:few', 1_050],
  ] as const) {
    const set = seenBy({ or: [{ status: 'eq:published' }, { author }] }, at)
    const options = { accountId: at.accountId, set, filtered: true, withData: true }
    await untilPlanned(() => readItemPage(real, options, pageRequest({})))
    const { db, rowsRead } = countRowsRead(real)
    const { page } = await readItemPage(db, options, pageRequest({}))
    t.like(page, { total })
    // Each condition is counted on its own, and then all together; MySQL reads counted rows twice, and united rows three times.
    t.true(rowsRead() <= 5 * total + 1_200, `${author}: ${rowsRead()}`)
  }
})

test('items named by id or alias are looked up, however many items the list has', async (t) => {
  const { db: real } = await testDatabase(t)
  const { accountId, listId } = await makeList(real)
  await addManyItems(real, { accountId, listId, count: 10_000 })
  const ids = (await real.all<{ id: string }>('select id from items order by id limit 32')).map(({ id }) => id)
  const values = (await real.all<{ id: string }>('select id from items')).map(({ id }) => ({
    item: { id, activated: true, readonly: false, createdAt: 1 },
    value: { indexId: 'index-1', orderKey: 'a', filterKey: 'a', aliasText: `alias of ${id}` },
  }))
  for (let start = 0; start < values.length; start += 2_000) {
    await real.transaction((tx) => insertRows(tx, indexValueRows(values.slice(start, start + 2_000))))
  }
  await analyze(real, 'items', 'index_values')
  const { db, rowsRead } = countRowsRead(real)
  await findItems(db, { accountId, listId }, ids)
  const aliases = ids.map((id) => `alias of ${id}`)
  const found = await findItemsByAlias(db, { accountId, listId, indexId: 'index-1', aliases })
  t.is(found?.items.size, 32)
  t.true(rowsRead() <= 600, `${rowsRead()}`)
})
