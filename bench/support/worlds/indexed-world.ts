import { addManyItems } from '../../../test/support/databases/contents/many-items.ts'
import { openTestDatabase } from '../../../test/support/databases/database.ts'
import { requestText } from '../loads/raw-connection.ts'
import { type Connections, type Run, runLoad } from '../loads/runs.ts'
import type { BareAnswers, BareHapi } from '../programs/bare-hapi.ts'
import { startProgram } from '../programs/program.ts'
import { type BenchAccount, makeAccount } from './account.ts'
import { type Listd, startListd } from './listd.ts'

/** A running listd with a list whose index has 1,000 values, and bare hapi that answers the same bytes. */
export type IndexedWorld = {
  /** The path of an item. */
  item: string
  /** Paths of pages that use the index, by title. */
  pages: Readonly<Record<string, string>>
  read(path: string, load: Connections): Promise<Run>
  /** One of the pages, its number of bytes, and the same bytes from bare hapi. */
  compared: { path: string; bytes: number; bare(load: Connections): Promise<Run> }
  [Symbol.asyncDispose](): Promise<void>
}

const list = '/lists/many/items'

/** @param count number of items in the list */
export async function startIndexedWorld(count: number): Promise<IndexedWorld> {
  await using started = new AsyncDisposableStack()
  const listd = started.use(await startListd())
  const account = await makeAccount(listd)
  await fillList(listd, account, count)
  const item = `${list}/${await account.createItem('many', 'read')}`
  const pages = await pagesOf(account)
  const compared = pages['ordered, by cursor'] ?? ''
  const text = await account.read(compared)
  const answers: BareAnswers = { [list]: text }
  const client = started.use(await startProgram<null>('load.ts', null))
  const hapi = started.use(await startProgram<BareHapi>('bare-hapi.ts', answers))
  const headers = { 'x-api-token': account.token }
  const requests = (path: string) => [requestText({ path, headers })]
  const all = started.move()
  return {
    item,
    pages,
    read: (path, load) =>
      runLoad(client, { origin: listd.address, requests: requests(path), ...load }, listd.processes()),
    compared: {
      path: compared,
      bytes: Buffer.byteLength(text),
      bare: (load) =>
        runLoad(client, { origin: hapi.ready.origin, requests: requests(compared), ...load }, [
          { name: 'bare hapi', pid: hapi.pid },
        ]),
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

const kindOf = (n: number) => `kind-${String(n % 1_000).padStart(3, '0')}`

/** The items are written directly into the tables; every tenth has no value. */
async function fillList(listd: Listd, account: BenchAccount, count: number): Promise<void> {
  const [listId = ''] = await account.makeLists(['many'])
  const body = { pathName: 'kind', pointer: '/kind', sorting: true, filtering: true }
  const valuesId = await account.makeIndex('many', body)
  const db = await openTestDatabase(listd.dataDir, { readers: 1 })
  const keyOf = (n: number) => (n % 10 === 0 ? null : kindOf(n))
  await addManyItems(db, { accountId: account.accountId, listId, count, dataLength: 1_024, valuesId, keyOf })
  await db.close()
}

async function pagesOf(account: BenchAccount): Promise<Record<string, string>> {
  const ordered = `${list}?order=kind&after=`
  const { next } = JSON.parse(await account.read(`${ordered}&limit=100`))
  return {
    'by createdAt': list,
    'by createdAt, by cursor': `${list}?after=`,
    'eq:': `${list}?kind=eq:${kindOf(7)}`,
    'in: of three': `${list}?kind=in:${[11, 222, 333].map(kindOf).join()}`,
    'starts:, of ten values': `${list}?kind=starts:kind-00`,
    'eq:, by cursor': `${list}?kind=eq:${kindOf(7)}&after=`,
    ordered: `${list}?order=kind`,
    'ordered, descending': `${list}?order=kind&direction=desc`,
    'ordered, by cursor': `${ordered}${next}`,
    'a range in its order': `${list}?kind=starts:kind-5&order=kind`,
    'a range in its order, by cursor': `${list}?kind=starts:kind-5&order=kind&after=`,
  }
}
