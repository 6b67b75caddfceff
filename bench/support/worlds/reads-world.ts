import { addManyItems } from '../../../test/support/databases/contents/many-items.ts'
import { openTestDatabase } from '../../../test/support/databases/database.ts'
import { requestText } from '../loads/raw-connection.ts'
import { type Connections, type Run, runLoad } from '../loads/runs.ts'
import type { BareAnswers, BareHapi } from '../programs/bare-hapi.ts'
import { startProgram } from '../programs/program.ts'
import { type BenchAccount, makeAccount } from './account.ts'
import { type Listd, startListd } from './listd.ts'

/** Bytes of each item's data. */
const dataBytes = 1_024

/** A running listd with two lists, bare hapi that answers the same bytes, and a client that sends the same requests to either. */
export type ReadsWorld = {
  /** Paths that both answer. */
  paths: { item: string; fewPage: string; manyPage: string }
  /** Bytes of the answer's body. */
  bytesOf(path: string): number
  read(path: string, load: Connections): Promise<Run>
  bare(path: string, load: Connections): Promise<Run>
  [Symbol.asyncDispose](): Promise<void>
}

/** @param counts number of items in each list */
export async function startReadsWorld(counts: { few: number; many: number }): Promise<ReadsWorld> {
  await using started = new AsyncDisposableStack()
  const listd = started.use(await startListd())
  const account = await makeAccount(listd)
  const paths = await makePaths(listd, account, counts)
  const answers: BareAnswers = {}
  for (const path of Object.values(paths)) answers[path] = await account.read(path)
  const client = started.use(await startProgram<null>('load.ts', null))
  const hapi = started.use(await startProgram<BareHapi>('bare-hapi.ts', answers))
  const headers = { 'x-api-token': account.token }
  const requests = (path: string) => [requestText({ path, headers })]
  const all = started.move()
  return {
    paths,
    bytesOf: (path) => Buffer.byteLength(answers[path] ?? ''),
    read: (path, load) =>
      runLoad(client, { origin: listd.address, requests: requests(path), ...load }, listd.processes()),
    bare: (path, load) =>
      runLoad(client, { origin: hapi.ready.origin, requests: requests(path), ...load }, [
        { name: 'bare hapi', pid: hapi.pid },
      ]),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Most items are written directly into the tables; the one that is read is created by a request. */
async function makePaths(
  listd: Listd,
  account: BenchAccount,
  counts: { few: number; many: number },
): Promise<ReadsWorld['paths']> {
  const [few = '', many = ''] = await account.makeLists(['few', 'many'])
  const db = await openTestDatabase(listd.dataDir, { readers: 1 })
  for (const [listId, count] of [
    [few, counts.few],
    [many, counts.many],
  ] as const) {
    await addManyItems(db, { accountId: account.accountId, listId, count, dataLength: dataBytes })
  }
  await db.close()
  const item = `/lists/few/items/${await account.createItem('few', 'read')}`
  return { item, fewPage: '/lists/few/items', manyPage: '/lists/many/items' }
}
