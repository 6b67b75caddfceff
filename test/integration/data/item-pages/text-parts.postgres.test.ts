import test from 'ava'
import { type ItemSet, visibleItems } from '#shared/data/item-pages/item-set.ts'
import { type ItemPageRequest, readItemPage } from '#shared/data/item-pages/page.ts'
import { buildPartsIndex, dropPartsIndex, findPartsIndex, readPartsIndex } from '#shared/data/item-pages/parts-index.ts'
import { allKeys } from '#shared/domain/item/questions/key-filter.ts'
import { readTextFilter } from '#shared/domain/text/filter.ts'
import { until } from '../../../support/assertions/until.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'
import { all, byId, pageRequest, valuePageRequest } from '../../../support/databases/questions/item-sets.ts'
import { analyze, countRowsRead } from '../../../support/databases/questions/rows-read.ts'
import { shared } from '../../../support/test-context/shared.ts'

/** Fewer than the list's entries, so that a call cannot examine all of them. */
const maxExamined = 2_000

const world = shared(async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const [at, other] = [await makeList(db), await makeList(db)]
  const textOf = (n: number) =>
    `number ${n}${n % 2 === 0 ? ' 50%_\\ of' : ''}${n <= 5_000 && n % 1_000 === 7 ? ' Ölkanne needle' : ''}`
  await addManyItems(db, { ...at, count: 10_500, tag: 'a', keyOf: textOf })
  await addManyItems(db, { ...other, count: 3_000, keyOf: (n) => `needle ${n}` })
  await db.run("update items set identity_id = 'ada' where readonly = 1")
  await analyze(db, 'items', 'item_tags', 'index_values')
  return { db, dataDir, ...at }
})

const asking = (listId: string, source: string): ItemSet => {
  const values = [{ indexId: listId, keys: allKeys, texts: [readTextFilter(source)] }]
  return { ...visibleItems(listId, all, true), values }
}

type Options = { accountId: string; set: ItemSet }

test.serial('an index of parts finds few of many entries, and a page that was too broad is answered', async (t) => {
  const { db: real, dataDir, accountId, listId } = await world()
  const options = { accountId, set: asking(listId, 'needle'), filtered: true, withData: true, maxExamined }
  const requests = [pageRequest({ page: 1 }), pageRequest({ after: '' }), valuePageRequest(listId, { after: '' })]
  await t.throwsAsync(readItemPage(real, options, pageRequest({ page: 1 })), { message: /too broad|examine/ })
  t.is((await readItemPage(real, options, pageRequest({ after: '' }))).page.data.length, 0)

  await buildPartsIndex(await anotherConnection(t, dataDir, { pool: 1 }))
  for (const request of requests) {
    // From the sixth time on Postgres may keep one plan for all values.
    for (let times = 0; times < 6; times++) await readItemPage(real, options, request)
    const { db, rowsRead } = countRowsRead(real)
    const { page } = await readItemPage(db, options, request)
    t.is(page.data.length, 5)
    // The list's entries are counted up to the bound of a call, for which Postgres reads all of so few, and 512 rows are probed.
    // Without the index it would also read the 13,500 entries of both lists.
    t.true(rowsRead() <= 17_500, `${rowsRead()}: ${request.order}`)
  }
})

test.serial('pages are the same with the index of parts and without it', async (t) => {
  const { db, dataDir, accountId, listId } = await world()
  const alone = await anotherConnection(t, dataDir, { pool: 1 })
  const own = { kind: 'own', identityId: 'ada' } as const
  const narrowings: ((set: ItemSet) => ItemSet)[] = [
    (set) => set,
    (set) => ({ ...set, tagged: [['a']] }),
    (set) => ({ ...set, visible: byId(true) }),
    (set) => ({ ...set, visible: own, activated: null }),
  ]
  const sources = ['NEEDLE', 'needle', 'ölkanne', 'number 77', '50%_\\', 'absent', 'b%r', 'le']
  const sets = sources.map((source, n) => narrowings[n % narrowings.length]?.(asking(listId, source)) as ItemSet)
  const found = async () => {
    const pages: string[][] = []
    for (const set of sets) pages.push(...(await readEverything(db, { accountId, set }, listId)))
    return pages
  }
  await buildPartsIndex(alone)
  t.truthy(await findPartsIndex(db))
  const withIndex = await found()
  await dropPartsIndex(alone)
  t.is(await findPartsIndex(db), null)
  t.deepEqual(withIndex, await found())
})

test.serial('with the index of parts, no more elements of arrays are examined than a call may examine', async (t) => {
  const { db: real, dataDir } = await world()
  const alone = await anotherConnection(t, dataDir, { pool: 1 })
  const { accountId, listId } = await makeList(real)
  const elementsOf = () => Array.from({ length: 99 }, (_, n) => `element ${n}`)
  await addManyItems(real, { accountId, listId, count: 700, keyOf: (n) => `common ${n}`, elementsOf })
  await analyze(real, 'items', 'index_values', 'index_elements')
  await buildPartsIndex(alone)
  const contains = (text: string) => ({ indexId: listId, keys: allKeys, texts: [readTextFilter(text)] })
  const nowhere = Array.from({ length: 10 }, (_, n) => ({ ...contains(`nowhere ${n}`), arrays: true }) as const)
  const questions = [{ kind: 'or', of: nowhere.map((filter) => ({ kind: 'value', ...filter }) as const) }] as const
  const set = { ...asking(listId, 'common'), questions }
  // Fewer than the list's entries, so that the index of parts is queried.
  const options = { accountId, set, filtered: true, withData: false, maxExamined: 600 }
  const { db, rowsRead } = countRowsRead(real)
  t.deepEqual((await readItemPage(db, options, pageRequest({ after: '' }))).page.data, [])
  await t.throwsAsync(readItemPage(db, options, pageRequest({ page: 1 })), { message: /elements of their arrays/ })
  // All elements would be 693,000 per call. The rows read include the entries of all lists.
  t.true(rowsRead() <= 150_000, `${rowsRead()}`)
  await dropPartsIndex(alone)
})

/** The ids of all items, by cursor in several orders, and of two pages by number with their total. */
async function readEverything(
  db: Parameters<typeof readItemPage>[0],
  options: Options,
  listId: string,
): Promise<string[][]> {
  const read = { ...options, filtered: true, withData: false }
  const found: string[][] = []
  for (const direction of ['asc', 'desc'] as const) {
    for (const request of [pageRequest({ direction, after: '' }), valuePageRequest(listId, { direction, after: '' })]) {
      found.push(await idsByCursor(db, { ...read, maxExamined }, request))
    }
  }
  for (const page of [1, 2]) {
    const request = pageRequest({ page })
    const { page: shown } = await readItemPage(db, { ...read, maxExamined: 20_000 }, request)
    found.push([...shown.data.map(({ id }) => id), String('total' in shown && shown.total)])
  }
  return found
}

async function idsByCursor(
  db: Parameters<typeof readItemPage>[0],
  options: Parameters<typeof readItemPage>[1],
  request: ItemPageRequest,
): Promise<string[]> {
  const ids: string[] = []
  for (let after: string | null = ''; after !== null && ids.length < 60; ) {
    const { page } = await readItemPage(db, options, { ...request, after } as ItemPageRequest)
    ids.push(...page.data.map(({ id }) => id))
    after = 'next' in page ? page.next : null
  }
  return ids.slice(0, 60)
}

test.serial('an interrupted build leaves an index that serves nothing, and the next build starts over', async (t) => {
  const { db, dataDir } = await world()
  const blocking = await anotherConnection(t, dataDir)
  const building = await anotherConnection(t, dataDir, { pool: 1 })
  await dropPartsIndex(building)
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const { promise: begun, resolve: resolveBegun } = Promise.withResolvers<void>()
  const transaction = blocking.transaction(async (tx) => {
    // A build waits for transactions that have written to its table.
    await tx.run('delete from index_values where 1 = 0')
    await tx.run('set local idle_in_transaction_session_timeout = 0')
    resolveBegun()
    await isOver
  })
  await begun
  const ended = t.throwsAsync(buildPartsIndex(building))
  await until(async () => (await readPartsIndex(db)).state === 'building')
  await db.run('select pg_cancel_backend(pid) from pg_stat_progress_create_index where datname = current_database()')
  await ended
  end()
  await transaction
  // The server returns the error before it rolls the build back.
  await until(async () => (await readPartsIndex(db)).state !== 'building')
  t.is((await readPartsIndex(db)).state, 'unfinished')
  t.is(await findPartsIndex(db), null)
  await buildPartsIndex(building)
  t.is((await readPartsIndex(db)).state, 'ready')
  await dropPartsIndex(building)
  t.is((await readPartsIndex(db)).state, 'absent')
})
