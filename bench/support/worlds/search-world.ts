import { toNumber, toText } from '#shared/data/columns.ts'
import type { Database } from '#shared/data/database.ts'
import { itemRows } from '#shared/data/items/columns.ts'
import { indexValueRows, itemTermRows } from '#shared/data/items/item-rows.ts'
import { readIndexes } from '#shared/data/lists/lists.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import { indexValues } from '#shared/domain/item/index-value.ts'
import { itemWords } from '#shared/domain/search/item-words.ts'
import { testIdAt, testItem } from '../../../test/support/databases/contents/rows.ts'
import { openTestDatabase } from '../../../test/support/databases/database.ts'
import { requestText } from '../loads/raw-connection.ts'
import { type Connections, type Run, runLoad } from '../loads/runs.ts'
import { startProgram } from '../programs/program.ts'
import { type BenchAccount, makeAccount } from './account.ts'
import { type Listd, startListd } from './listd.ts'

/** A running listd with a list whose items are searched, and two empty lists, one of them searched. */
export type SearchWorld = {
  /** Searches, each with different words, by title. */
  searches: Readonly<Record<string, readonly string[]>>
  item: string
  read(paths: readonly string[], load: Connections): Promise<Run>
  /** Creates items with 50 words in each of two indexes. */
  create(list: 'searched' | 'plain', load: Connections): Promise<Run>
  [Symbol.asyncDispose](): Promise<void>
}

const wordsOfItem = 20
/** The number of words: the n-th is about 1/n as frequent as the first. */
const vocabulary = 20_000

/** @param count number of items in the list */
export async function startSearchWorld(count: number): Promise<SearchWorld> {
  await using started = new AsyncDisposableStack()
  const listd = started.use(await startListd())
  const account = await makeAccount(listd)
  await account.makeLists(['many', 'searched', 'plain'], {})
  for (const list of ['many', 'searched', 'plain']) {
    for (const pathName of ['title', 'body']) {
      const uses = { filtering: true, searching: list !== 'plain' }
      await account.makeIndex(list, { pathName, pointer: `/${pathName}`, ...uses })
    }
  }
  await fillList(listd, account, count)
  const item = `/lists/many/items/${await account.createItem('many', 'read')}`
  const client = started.use(await startProgram<null>('load.ts', null))
  const headers = { 'x-api-token': account.token }
  const all = started.move()
  const run = (requests: readonly string[], load: Connections) =>
    runLoad(client, { origin: listd.address, requests: [...requests], ...load }, listd.processes())
  const bodies = Array.from({ length: 500 }, () => JSON.stringify({ data: { title: text(50), body: text(50) } }))
  return {
    searches: searches(),
    item,
    read: (paths, load) =>
      run(
        paths.map((path) => requestText({ path, headers })),
        load,
      ),
    create: (list, load) =>
      run(
        bodies.map((body) => requestText({ path: `/lists/${list}/items`, headers, body })),
        load,
      ),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

let state = 1
/** A word; the first ones are much more frequent. */
function word(): string {
  state = (state * 48_271) % 2_147_483_647
  return `word${Math.floor(vocabulary ** (state / 2_147_483_647))}`
}

const text = (count: number) => Array.from({ length: count }, word).join(' ')

function searches(): SearchWorld['searches'] {
  const of = (queries: readonly string[]) =>
    queries.map((query) => `/lists/many/search?query=${query.replaceAll(' ', '%20')}`)
  const some = <T>(make: () => T) => Array.from({ length: 200 }, make)
  return {
    'one to three words as items have them': of(some(() => text(1 + Math.floor((state % 1_000) / 334)))),
    'a rare word': of(some(() => `word${5_000 + (state++ % 10_000)}`)),
    'the most frequent word': of(['word1']),
    'two of the ten most frequent words': of(['word1 word2', 'word3 word7', 'word5 word6']),
  }
}

async function fillList(listd: Listd, { accountId }: BenchAccount, count: number): Promise<void> {
  const db = await openTestDatabase(listd.dataDir, { readers: 1 })
  const row = await db.get("select id, terms_id from lists where path_name = 'many'")
  const at = { accountId, listId: toText(row?.id), termsId: toNumber(row?.terms_id) }
  for (let start = 0; start < count; start += 1_000) await addItems(db, at, Math.min(1_000, count - start))
  await db.close()
}

type At = { accountId: string; listId: string; termsId: number }

async function addItems(db: Database, { termsId, ...at }: At, count: number): Promise<void> {
  const indexes = await readIndexes(db, at.accountId, at.listId)
  const created = Array.from({ length: count }, () => {
    const value = { title: text(wordsOfItem / 4), body: text((wordsOfItem * 3) / 4) }
    const data = JSON.stringify(value)
    const item = { ...testItem(at, testIdAt(Date.now()), 1), createdAt: Date.now(), data, size: data.length }
    return { item, value, terms: { ...itemWords(indexes, value), termsId } }
  })
  await db.transaction(async (tx) => {
    await insertRows(tx, itemRows(created.map(({ item }) => item)))
    const entries = created.flatMap(({ item, value }) =>
      indexValues(indexes, value).values.map((entry) => ({ item, value: entry })),
    )
    await insertRows(tx, indexValueRows(entries))
    await insertRows(tx, itemTermRows(created))
    await tx.run('update lists set item_count = item_count + ? where id = ?', [count, at.listId])
  })
}
