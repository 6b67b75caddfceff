import { setTimeout as pause } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { type Client, createClient } from '#client/src/client.ts'
import { gte } from '#client/src/filters.ts'
import type { Change, ItemChange } from '#client/src/realtime.ts'
import type { Database } from '#shared/data/database.ts'
import { until } from '../../support/assertions/until.ts'
import { type CuttingProxy, cuttingProxy } from '../../support/databases/cutting-proxy.ts'
import {
  anotherConnection,
  databaseSettings,
  migratedDirectory,
  testBackend,
} from '../../support/databases/database.ts'
import { type Frame, openEvents } from '../../support/http/event-stream.ts'
import { rounds, seededRandom, shuffled, withSeed } from '../../support/load/soak.ts'
import { type NatsServer, testNats } from '../../support/nats/nats.ts'
import { type Listd, testListd } from '../../support/processes/listd.ts'
import { type GatewayPair, gatewayPair } from '../../support/realtime/gateway-pair.ts'
import {
  type Follower,
  follow,
  isAsItsPage,
  type LiveList,
  type RawReader,
  readRaw,
  watch,
} from '../../support/realtime/watchers.ts'
import { createWriters } from '../../support/realtime/writers.ts'

const patience = { withinMs: 90_000 }
const list = 'parts'
const document = {
  scope: 'soak',
  lists: {
    [list]: {
      name: 'Parts',
      realtime: true,
      indexes: {
        n: { pointer: '/n', valueType: 'number' as const, filtering: true, sorting: true },
        title: { pointer: '/title', filtering: true, sorting: true },
        status: { pointer: '/status', filtering: true },
      },
    },
  },
}
/** The questions of live lists: in both directions, by numbers and by texts, with low and high limits. */
const questions = [
  { limit: 100 },
  { direction: 'asc', limit: 20 },
  { where: { n: gte(25) }, order: 'n', limit: 10 },
  { where: { status: 'public' }, order: 'title', direction: 'asc', limit: 50 },
  { where: { activated: 'any' }, order: 'updatedAt', limit: 30 },
] as const
const publicOnly = { mode: 'allow', action: 'view', resourceType: 'item', listIds: [list], where: { status: 'public' } }

test(
  withSeed(
    'gateways, NATS and connections killed at any moment: in the end each live client has the state of the database',
  ),
  async (t) => {
    t.timeout(rounds({ once: 300_000, soak: 3_600_000 }))
    const random = seededRandom()
    const world = await begin(t, random)
    const accounts = [await furnish(t, world, world.listd), await furnish(t, world, await world.listd.anotherAccount())]
    for (let round = 0; round < rounds({ once: 2, soak: 40 }); round++) {
      const crashes = [ofGateways, ofConnections].map((some) => shuffled(random, some)[0] as Crash)
      t.log(crashes.map(({ name }) => name).join(', '))
      const working = accounts.map((account) => work(t, account, random))
      await pause(random() * 100)
      await Promise.all([...crashes.map((crash) => crash(world)), ...working])
      if (random() < 0.3) for (const account of accounts) await endsWithAll(t, world, account)
    }
    await Promise.all(accounts.map(({ write }) => write(5)))
    for (const account of accounts) await endsWithAll(t, world, account)
  },
)

/** Changes items while one of the live lists is replaced by a new one with its own client. */
async function work(t: ExecutionContext, { write, lives }: Account, random: () => number): Promise<void> {
  const place = Math.floor(random() * lives.length)
  const { client, question, shown } = lives[place] as LiveList
  const begun = watch(t, client.with({}), { list, question })
  await Promise.all([begun, write(20 + Math.floor(random() * 80))])
  lives[place] = await begun
  shown.close()
}

test('a reader of the stream of a killed gateway resumes at the other, and misses nothing', async (t) => {
  const { listd, pair, clientOf } = await begin(t, seededRandom())
  const { token } = listd.credentials
  const client = clientOf({ token })
  await client.lists.create({ name: list, pathName: list, realtime: true })
  const create = (n: number) => client.list(list).create({ data: { n } })
  const read = (port = 0, resume = {}) =>
    openEvents(t, port, { query: 'eventTypes=item-created', headers: { 'x-api-token': token, ...resume } })
  const stream = await read(pair.ports[1])
  await stream.wait(1, 'ready')
  await create(1)
  await stream.wait(1, 'item-created')
  const replaced = pair.replaceSecond('SIGKILL')
  await create(2)
  await until(stream.ended)
  await create(3)
  const again = await read(pair.ports[0], { 'last-event-id': stream.lastId() })
  const frames = await again.wait(3, 'item-created')
  t.deepEqual(
    frames.map(({ data }) => data.model.data.n),
    [1, 2, 3],
  )
  t.true(again.frames()[0]?.data.resumed)
  await replaced
})

type World = {
  listd: Listd
  nats: NatsServer
  pair: GatewayPair
  random: () => number
  db: Database
  /** Null if the database is a file. */
  connections: CuttingProxy | null
  /** Breaks the connections of clients. */
  cutClients: () => void
  clientOf(credentials: { token?: string; session?: string }): Client
}

async function begin(t: ExecutionContext, random: () => number): Promise<World> {
  const nats = await testNats(t)
  const { LISTD_DATABASE_URL: url } = databaseSettings(await migratedDirectory(t))
  const connections = url ? await cuttingProxy(t, url) : null
  const listd = await testListd(t, {
    env: { LISTD_NATS_URL: nats.url },
    ...(connections && { databaseUrl: connections.url }),
  })
  const pair = await gatewayPair(listd, random)
  let cutting = new AbortController()
  const fetch: typeof globalThis.fetch = (input, init) =>
    pair.fetch(input, { ...init, signal: AbortSignal.any([cutting.signal, ...(init?.signal ? [init.signal] : [])]) })
  return {
    listd,
    nats,
    pair,
    random,
    connections,
    db: await anotherConnection(t, listd.dataDir, { readers: 1 }),
    cutClients() {
      cutting.abort()
      cutting = new AbortController()
    },
    clientOf: (credentials) => createClient({ url: listd.address, fetch, retries: 20, ...credentials }),
  }
}

type Crash = (world: World) => Promise<void>

const ofGateways: Crash[] = [
  async function firstGatewayKilled({ pair }) {
    await pair.killFirst()
  },
  async function secondGatewayKilled({ pair }) {
    await pair.replaceSecond('SIGKILL')
  },
  async function secondGatewayStopped({ pair }) {
    await pair.replaceSecond('SIGTERM')
  },
  async function bothGatewaysKilled({ pair }) {
    await Promise.all([pair.killFirst(), pair.replaceSecond('SIGKILL')])
  },
]
const ofConnections: Crash[] = [
  async function natsKilled({ nats, random }) {
    await nats.kill()
    await pause(random() * 1_000)
    await nats.start()
  },
  async function natsFrozen({ nats, random }) {
    await nats.freeze()
    await pause(random() * 1_000)
    nats.thaw()
  },
  async function clientsCut({ cutClients, random }) {
    await pause(random() * 500)
    cutClients()
  },
  ...(testBackend === 'sqlite' ? [] : [databaseCut]),
]

async function databaseCut({ connections, random }: World): Promise<void> {
  for (let n = 0; n < 5; n++) {
    connections?.cutAll()
    await pause(random() * 200)
  }
}

type Account = {
  write: (count: number) => Promise<void>
  followers: Follower[]
  restricted: Follower[]
  lives: LiveList[]
  raw: RawReader[]
  client: Client
  /** Sees some of the items. */
  reader: Client
}

async function furnish(
  t: ExecutionContext,
  { pair, random, clientOf }: World,
  { credentials, user }: Listd,
): Promise<Account> {
  const { token, session } = credentials
  const client = clientOf({ token })
  await client.sync.apply(document)
  const { json } = await user('POST', '/tokens', { body: { name: 'reader', permissions: [publicOnly] } })
  const times = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make))
  const [followers, restricted] = await Promise.all([
    times(6, () => follow(t, clientOf({ session }), list)),
    times(3, () => follow(t, clientOf({ token: json.value }), list)),
  ])
  const raw = Array.from({ length: 4 }, () =>
    readRaw(t, pair, { list, headers: { authorization: `Bearer ${session}` } }),
  )
  await until(() => raw.every(({ connections }) => connections[0]?.[0]?.event === 'ready'))
  const askers = questions.flatMap((question) => [
    { question, client: clientOf({ token }) },
    { question, client: clientOf({ session }) },
  ])
  const reader = clientOf({ token: json.value })
  for (const limit of [5, 100]) askers.push({ question: { limit } as never, client: clientOf({ token: json.value }) })
  const lives = await Promise.all(askers.map(({ question, client }) => watch(t, client, { list, question })))
  return {
    write: createWriters(t, client, { list, random, atOnce: 4 }),
    followers,
    restricted,
    lives,
    raw,
    client,
    reader,
  }
}

/** Asserts that each client has received every change in the account's log, and that each live list shows the same as a page. */
async function endsWithAll(t: ExecutionContext, { db }: World, account: Account): Promise<void> {
  const { id: listId } = await account.client.lists.get(list)
  const rows = await db.all<{ id: string; model_id: string; revision: number }>(
    "select id, model_id, revision from events where list_id = ? and type like 'item-%'",
    [listId],
  )
  const logged = rows.map((row) => `${row.model_id} ${row.revision} ${row.id}`).toSorted()
  const isComplete = (seen: readonly SentItem[]) => new Set(seen.map(textOf)).size >= logged.length
  for (const { changes, states } of account.followers) {
    await until(() => isComplete(itemsOf(changes)) || [changes.length, logged.length, states.at(-1)], patience)
    t.deepEqual(itemsOf(changes).map(textOf).toSorted(), logged, 'each change once')
    t.deepEqual(backwards(itemsOf(changes)), [])
    t.false(states.includes('reset'))
  }
  for (const { connections } of account.raw) {
    const seen = () => connections.flatMap(framesOfItems)
    await until(() => isComplete(seen()) || [seen().length, logged.length], patience)
    t.deepEqual([...new Set(seen().map(textOf))].toSorted(), logged)
    for (const frames of connections) t.deepEqual(backwards(framesOfItems(frames)), [])
  }
  for (const { changes } of account.restricted) await endsWithItsView(t, changes, account)
  for (const one of account.lives) await until(() => isAsItsPage(one, list), patience)
}

/** Asserts that a client that sees only some of the items has these in the end, and was shown no others. */
async function endsWithItsView(t: ExecutionContext, changes: readonly Change[], { reader }: Account): Promise<void> {
  const items = await reader.list(list).items().toArray(10_000)
  const page = items.map(({ id, etag }) => `${id} ${etag}`).toSorted()
  const shown = () => {
    const last = new Map(itemsOf(changes).map((change) => [change.itemId, change]))
    const there = [...last.values()].filter(({ type }) => type !== 'item-deleted')
    return there.map(({ model: { id, etag } }) => `${id} ${etag}`).toSorted()
  }
  await until(() => shown().join() === page.join() || [shown(), page], patience)
  t.deepEqual(backwards(itemsOf(changes)), [])
  const strange = itemsOf(changes).filter(
    ({ type, model }) => type !== 'item-deleted' && model.data.status !== 'public',
  )
  t.deepEqual(strange, [])
}

// biome-ignore lint/suspicious/noExplicitAny: the data are those of the writers
type SentItem = Pick<ItemChange<any>, 'itemId' | 'revision' | 'eventId'>

const textOf = ({ itemId, revision, eventId }: SentItem) => `${itemId} ${revision} ${eventId}`
// biome-ignore lint/suspicious/noExplicitAny: the data are those of the writers
const itemsOf = (changes: readonly Change<any>[]) => changes.filter((change) => 'itemId' in change)
const framesOfItems = (frames: readonly Frame[]): SentItem[] =>
  frames.flatMap(({ data }) => (data?.itemId ? [data] : []))

/** Changes of an item that arrived after a later one. */
function backwards(changes: readonly SentItem[]): SentItem[] {
  const last = new Map<string, number>()
  return changes.filter(({ itemId, revision }) => {
    const before = last.get(itemId) ?? 0
    last.set(itemId, revision)
    return revision <= before
  })
}
