import { requestText } from '../loads/raw-connection.ts'
import { type Connections, type Run, runLoad } from '../loads/runs.ts'
import type { BareHapi } from '../programs/bare-hapi.ts'
import { type Program, startProgram } from '../programs/program.ts'
import { type BenchAccount, itemBody, makeAccount } from './account.ts'
import { type Listd, startListd } from './listd.ts'
import { untilOutboxIsEmpty } from './queues.ts'
import { startReceiver } from './receiver.ts'

/** A running listd with a list and a webhook, bare hapi, and a client that sends the same requests to either. */
export type CreatesWorld = {
  listd: Listd
  account: BenchAccount
  create(load: Connections): Promise<Run>
  /** The number of items that each request creates. */
  createBatches(load: Connections, items: number): Promise<Run>
  bare(load: Connections): Promise<Run>
  [Symbol.asyncDispose](): Promise<void>
}

/** @param options.matches whether the webhook subscribes to the list; events pass outbox and fan-out either way */
export async function startCreatesWorld({ matches }: { matches: boolean }): Promise<CreatesWorld> {
  await using started = new AsyncDisposableStack()
  const receiver = started.use(await startReceiver())
  const listd = started.use(
    await startListd({
      LISTD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8',
      LISTD_WEBHOOKS_CA_FILE: receiver.caFile,
      // A webhook gets one event at a time, so far more wait than the default allows.
      LISTD_WEBHOOKS_MAX_WAITING: '1000000',
    }),
  )
  const client = started.use(await startProgram<null>('load.ts', null))
  const hapi = started.use(await startProgram<BareHapi>('bare-hapi.ts', {}))
  const account = await makeAccount(listd)
  const [matched = '', unmatched = ''] = await account.makeLists(['things', 'others'])
  const webhook = await account.makeWebhook({
    url: `${receiver.origin}/hook`,
    listIds: [matches ? matched : unmatched],
  })
  const all = started.move()
  return {
    listd,
    account,
    ...runs({ listd, client, hapi, account, listen: (active) => account.setActive(webhook, active) }),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

type Parts = {
  listd: Listd
  client: Program<null>
  hapi: Program<BareHapi>
  account: BenchAccount
  listen(active: boolean): Promise<void>
}

function runs({
  listd,
  client,
  hapi,
  account,
  listen,
}: Parts): Pick<CreatesWorld, 'create' | 'createBatches' | 'bare'> {
  const headers = { 'x-api-token': account.token }
  const message = { headers, body: itemBody('create-########') }
  const yardstick = { origin: hapi.ready.origin, requests: [requestText({ path: '/', ...message })] }
  /** The webhook is active only during the run: sending its backlog would disturb the yardstick's run. */
  async function runAtListd(load: Connections, request: string): Promise<Run> {
    await listen(true)
    const run = await runLoad(client, { origin: listd.address, requests: [request], ...load }, listd.processes())
    await listen(false)
    await untilOutboxIsEmpty(listd.dataDir)
    return run
  }
  return {
    create: (load) => runAtListd(load, requestText({ path: '/lists/things/items', ...message })),
    createBatches(load, items) {
      const creations = Array.from(
        { length: items },
        (_, n) => `{"op":"create",${itemBody(`batch-########-${n}`).slice(1)}`,
      )
      const body = `{"operations":[${creations.join()}]}`
      return runAtListd(load, requestText({ path: '/lists/things/items/batch', headers, body }))
    },
    bare: (load) => runLoad(client, { ...yardstick, ...load }, [{ name: 'bare hapi', pid: hapi.pid }]),
  }
}
