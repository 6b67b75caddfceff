import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import type { Database } from '#shared/data/database.ts'
import { until } from '../../support/assertions/until.ts'
import { keepCreating } from '../../support/load/load.ts'
import { rounds, seededRandom, withSeed } from '../../support/load/soak.ts'
import { untilSent } from '../../support/webhooks/delivered.ts'
import { addWebhook, receivedBy, type Scene, type SceneWebhook, setScene } from '../../support/webhooks/scene.ts'
import { verifyServiceSignature } from '../../support/webhooks/verify-signature.ts'

const env = { LISTD_WEBHOOKS_MAX_WAITING: '1000000' }
const patience = { withinMs: 120_000 }
const counters = 4

/** A flow that counts in one item, creates two, and emits; `key` identifies the run in each of these. */
const document = (webhook: string) => ({
  version: 1,
  name: 'order',
  entry: { type: 'endpoint', path: 'orders' },
  nodes: [
    { id: 'counter', type: 'get-item', list: 'counters', item: 'input.counter', required: true },
    {
      id: 'count',
      type: 'update-item',
      list: 'counters',
      item: 'input.counter',
      merge: '{n: steps.counter.data.n + 1}',
    },
    { id: 'parts', type: 'create-item', list: 'parts', data: '{key: input.key, part: item}', each: '[1, 2]' },
    { id: 'notify', type: 'emit', webhooks: [webhook], payload: '{key: input.key, n: steps.count.data.n}' },
    { id: 'answer', type: 'respond', status: 201 },
  ],
  edges: [
    ['counter', 'count'],
    ['count', 'parts'],
    ['parts', 'notify'],
    ['notify', 'answer'],
  ],
})

test(
  withSeed(
    'a gateway killed at any moment: a run of a flow writes everything or nothing, and everything if it was answered',
  ),
  async (t) => {
    t.timeout(rounds({ once: 300_000, soak: 1_800_000 }))
    const random = seededRandom()
    const scene = await setScene(t, { webhooks: 0, env })
    const webhook = await addWebhook(scene, { events: [] })
    const ids = await addFlow(scene, webhook)
    const sent = new Map<string, string>()
    const load = keepCreating(scene, {
      async create() {
        const key = `run ${sent.size}`
        const counter = ids[sent.size % counters] ?? ''
        sent.set(key, counter)
        const call = () => scene.listd.api('POST', '/flows/orders', { body: { key, counter } })
        const { status, headers, text } = await call().catch(async (error) => {
          await pause(50) // no process listens until the next gateway has started
          throw error
        })
        if (status !== 201) throw new Error(text)
        return `${headers.get('x-flow-run')} ${key}`
      },
    })
    t.teardown(load.stop)
    const more = (count: number) => {
      const enough = load.acknowledged.length + count
      return until(async () => load.acknowledged.length >= enough, { ...patience, what: `${count} more runs` })
    }
    for (let round = 0; round < rounds({ once: 2, soak: 22 }); round++) {
      await more(1 + Math.floor(random() * 40))
      await pause(random() * 20)
      const gateway = scene.listd.pidOf('gateway')
      scene.listd.signal('gateway', 'SIGKILL')
      await scene.listd.replaced('gateway', gateway)
    }
    await more(1)
    await load.stop()
    await untilSent(t, { db: scene.db, accountId: scene.listd.credentials.accountId })

    const ledger = await readLedger(scene, webhook)
    t.log(`${sent.size} sent, ${load.acknowledged.length} answered, ${ledger.size} committed`)
    const parted = [...ledger].filter(
      ([, { runs, parts, counts }]) => `${runs.length} ${parts.toSorted()} ${counts.length}` !== '1 1,2 1',
    )
    t.deepEqual(parted.slice(0, 10), [], 'each run wrote everything or nothing')
    const committed = new Set([...ledger].map(([key, { runs }]) => `${runs[0]} ${key}`))
    t.deepEqual(
      load.acknowledged.filter((run) => !committed.has(run)),
      [],
      'answered and lost',
    )
    for (const { id, data } of await itemsOf(scene.db, 'counters')) {
      const counted = [...ledger].filter(([key]) => sent.get(key) === id).map(([, { counts }]) => counts[0] ?? 0)
      const all = Array.from({ length: data.n }, (_, n) => n + 1)
      t.deepEqual(
        counted.toSorted((a, b) => a - b),
        all,
        'each run counts once, and reports another count',
      )
    }
  },
)

/** @returns the ids of the counters */
async function addFlow({ listd }: Scene, { id }: SceneWebhook): Promise<string[]> {
  for (const name of ['counters', 'parts']) await listd.api('POST', '/lists', { body: { name } })
  const { status, text } = await listd.user('POST', '/flow-definitions', { body: { document: document(id) } })
  if (status !== 201) throw new Error(text)
  const create = () => listd.api('POST', '/lists/counters/items', { body: { data: { n: 0 } } })
  const created = await Promise.all(Array.from({ length: counters }, create))
  return created.map(({ json }) => json.id)
}

/** The traces of a run: its rows, its items, and the counts that its webhook received. */
type Traces = { runs: string[]; parts: number[]; counts: number[] }

async function readLedger({ db }: Scene, webhook: SceneWebhook): Promise<Map<string, Traces>> {
  const ledger = new Map<string, Traces>()
  const of = (key: string) => {
    const traces = ledger.get(key) ?? { runs: [], parts: [], counts: [] }
    ledger.set(key, traces)
    return traces
  }
  const runs = await db.all<{ id: string; input: string }>("select id, input from flow_runs where status = 'succeeded'")
  for (const { id, input } of runs) of(JSON.parse(input).key).runs.push(id)
  for (const { data } of await itemsOf(db, 'parts')) of(data.key).parts.push(data.part)
  const sent = new Map(receivedBy(webhook).map((request) => [request.headers['webhook-id'], request]))
  for (const request of sent.values()) {
    const { data } = Object(verifyServiceSignature(request, webhook.secret))
    of(data.payload.key).counts.push(data.payload.n)
  }
  return ledger
}

// biome-ignore lint/suspicious/noExplicitAny: the data are those of the flow
async function itemsOf(db: Database, list: string): Promise<{ id: string; data: any }[]> {
  const rows = await db.all<{ id: string; data: string }>(
    'select i.id, i.data from items i join lists l on l.id = i.list_id where l.path_name = ?',
    [list],
  )
  return rows.map(({ id, data }) => ({ id, data: JSON.parse(data) }))
}
