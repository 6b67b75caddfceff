import { Client } from 'pg'
import { databasesOf } from '../../test/support/backends/test-databases.ts'
import { cleared } from '../support/cleared.ts'
import { until } from '../support/clock.ts'
import type { BareEvent } from '../support/programs/bare-delivery.ts'
import type { BareRelay } from '../support/programs/bare-relay.ts'
import { type Program, startProgram } from '../support/programs/program.ts'
import type { WebhookWorld } from '../support/worlds/webhook-world.ts'
import type { RouteOptions } from './route.ts'
import type { Preset, WorkerOptions, WorkerQuestion } from './worker.ts'

/** graphile-worker on a separate database, next to listd's on the same server, with listd's receiver and secrets. */
export type OtherQueue = {
  /** The origin of the route that stores an item and adds its job. */
  origin: string
  workerPid: number
  startWorker(preset: Preset): Promise<void>
  stopWorker(): Promise<void>
  /** Adds the waiting events of each webhook, oldest first. @param named whether each webhook has its own queue */
  add(waiting: readonly BareEvent[][], named: boolean): Promise<void>
  untilNothingWaits(): Promise<void>
} & AsyncDisposable

/** Events added with one statement. */
const atOnce = 1_000

export async function startOtherQueue({ receiver, webhooks }: WebhookWorld): Promise<OtherQueue> {
  await using started = new AsyncDisposableStack()
  const { url: connectionString, release } = await databasesOf(process.env.TEST_DATABASE_URL ?? '').takeEmpty()
  started.use(cleared(release))
  const secrets = webhooks.map(({ secret }) => secret)
  const options: WorkerOptions = { connectionString, origin: receiver.origin, ca: receiver.ca, secrets }
  const worker = started.use(await startProgram<null>('../../graphile-worker/worker.ts', options))
  const route = started.use(await startRoute({ connectionString, connections: 10 }))
  const client = new Client({ connectionString })
  await client.connect()
  started.defer(() => client.end())
  const all = started.move()
  return {
    origin: route.ready.origin,
    workerPid: worker.pid,
    startWorker: (preset) => worker.ask({ start: preset } satisfies WorkerQuestion),
    stopWorker: () => worker.ask('stop' satisfies WorkerQuestion),
    add: (waiting, named) => addJobs(client, waiting, named),
    untilNothingWaits: () => untilNoJobs(client),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

function startRoute(options: RouteOptions): Promise<Program<BareRelay>> {
  return startProgram<BareRelay>('../../graphile-worker/route.ts', options)
}

/** Adds events in rotation over the webhooks, as they arrive in reality; analyses the tables, which autovacuum would do later. */
async function addJobs(client: Client, waiting: readonly BareEvent[][], named: boolean): Promise<void> {
  const longest = Math.max(...waiting.map((events) => events.length))
  const jobs = Array.from({ length: longest }, (_, n) =>
    waiting.flatMap((events, webhook) => events.slice(n, n + 1).map((event) => ({ webhook, event }))),
  ).flat()
  for (let start = 0; start < jobs.length; start += atOnce) {
    const slice = jobs.slice(start, start + atOnce)
    const queues = slice.map(({ webhook }) => (named ? `webhook-${webhook}` : null))
    await client.query(insert, [slice.map((job) => JSON.stringify(job)), queues])
  }
  await client.query('analyze')
}

const insert = `
  select count(*) from graphile_worker.add_jobs(array(
    select row('deliver', payload, queue, null, null, null, null, null)::graphile_worker.job_spec
    from unnest($1::json[], $2::text[]) with ordinality as job(payload, queue, position) order by position
  ))`

async function untilNoJobs(client: Client): Promise<void> {
  const none = async () => (await client.query('select from graphile_worker.jobs limit 1')).rowCount === 0
  await until(none, { what: 'the end of the last job' })
}
