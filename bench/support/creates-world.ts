import { type BenchAccount, itemBody, makeAccount } from './account.ts'
import type { BareHapi } from './bare-hapi.ts'
import { type Listd, startListd } from './listd.ts'
import type { Load, LoadResult } from './load.ts'
import { cpuSeconds } from './processes.ts'
import { type Program, startProgram } from './program.ts'
import { untilOutboxIsEmpty } from './queues.ts'
import { requestText } from './raw-connection.ts'
import { startReceiver } from './receiver.ts'

/** A running listd with a list and a webhook, bare hapi, and a client that loads either with the same requests. */
export type CreatesWorld = {
  listd: Listd
  create(load: Connections): Promise<Run>
  bare(load: Connections): Promise<Run>
  [Symbol.asyncDispose](): Promise<void>
}

export type Connections = Pick<Load, 'connections' | 'seconds'>
/** `cpuMicros`: CPU time per request of each process by its name. */
export type Run = LoadResult & { cpuMicros: Record<string, number> }

/** @param options.hears whether the webhook wants the events of the list; they pass outbox and fan-out either way */
export async function startCreatesWorld({ hears }: { hears: boolean }): Promise<CreatesWorld> {
  await using started = new AsyncDisposableStack()
  const receiver = started.use(await startReceiver())
  const listd = started.use(
    await startListd({
      LISTD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8',
      LISTD_WEBHOOKS_CA_FILE: receiver.caFile,
      // One webhook is sent one event at a time, so many more wait than usually may.
      LISTD_WEBHOOKS_MAX_WAITING: '1000000',
    }),
  )
  const client = started.use(await startProgram<null>('load.ts', null))
  const hapi = started.use(await startProgram<BareHapi>('bare-hapi.ts', null))
  const account = await makeAccount(listd)
  const [heard = '', unheard = ''] = await account.makeLists(['things', 'others'])
  const webhook = await account.makeWebhook({ url: `${receiver.origin}/hook`, listIds: [hears ? heard : unheard] })
  const all = started.move()
  return {
    listd,
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

function runs({ listd, client, hapi, account, listen }: Parts): Pick<CreatesWorld, 'create' | 'bare'> {
  const message = { headers: { 'x-api-token': account.token }, body: itemBody('create-########') }
  const subject = { origin: listd.address, request: requestText({ path: '/lists/things/items', ...message }) }
  const yardstick = { origin: hapi.ready.origin, request: requestText({ path: '/', ...message }) }
  return {
    /** The webhook is active only meanwhile: sending what waits for it would disturb the yardstick's run. */
    async create(load) {
      await listen(true)
      const cpu = watchCpu(listd.processes())
      const result = await client.ask<LoadResult>({ ...subject, ...load })
      const cpuMicros = cpu.perRequest(result.count)
      await listen(false)
      await untilOutboxIsEmpty(listd.dataDir)
      return { ...result, cpuMicros }
    },
    async bare(load) {
      const cpu = watchCpu([{ name: 'bare hapi', pid: hapi.pid }])
      const result = await client.ask<LoadResult>({ ...yardstick, ...load })
      return { ...result, cpuMicros: cpu.perRequest(result.count) }
    },
  }
}

/** CPU that processes use from now on, in microseconds. */
function watchCpu(processes: readonly { name: string; pid: number }[]) {
  const before = processes.map(({ pid }) => cpuSeconds(pid))
  return {
    perRequest(count: number): Record<string, number> {
      const used = processes.map(({ name, pid }, n) => [name, ((cpuSeconds(pid) - (before[n] ?? 0)) * 1e6) / count])
      return Object.fromEntries(used)
    },
  }
}
