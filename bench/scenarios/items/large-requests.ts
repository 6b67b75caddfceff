import { ratios, sum } from '../../../test/support/load/statistics.ts'
import { monotonicMs, sleep } from '../../support/clock.ts'
import type { LoadResult } from '../../support/loads/closed-loop.ts'
import {
  batchOfItems,
  batchOfNothing,
  documentOfKeys,
  documentOfLists,
  unknownProperties,
} from '../../support/loads/large-bodies.ts'
import { alternate, type Pace } from '../../support/loads/pace.ts'
import { openRawConnection, requestText } from '../../support/loads/raw-connection.ts'
import { forgetPeak, peakMb } from '../../support/measures/memory.ts'
import { figure, rounded, spread } from '../../support/measures/report.ts'
import { startProgram } from '../../support/programs/program.ts'
import { type BenchAccount, makeAccount } from '../../support/worlds/account.ts'
import { pidOf, startListd } from '../../support/worlds/listd.ts'

type Large = { title: string; connections: number; request: string }
type Run = { times: number[]; answered: number; peakMb: number }

/**
 * How long a `GET /health/live` takes, one after the other, during large requests of another client, and the memory of the gateway
 * during them.
 */
export async function largeRequests({ rounds, share }: Pace): Promise<void> {
  await using listd = await startListd()
  await using sender = await startProgram<null>('load.ts', null)
  const gateway = pidOf(listd, 'gateway')
  const origin = listd.address
  const seconds = 6 * share

  async function run({ connections, request }: Pick<Large, 'connections' | 'request'>): Promise<Run> {
    forgetPeak(gateway)
    const load = { origin, requests: [request], connections, seconds, anyAnswer: true }
    const sent = connections > 0 ? sender.ask<LoadResult>(load) : sleep(seconds * 1_000).then(() => ({ count: 0 }))
    const times = await timesOf(origin, seconds)
    return { times, answered: (await sent).count, peakMb: peakMb(gateway) }
  }

  for (const large of await largeOnes(await makeAccount(listd))) {
    const { subject, yardstick } = await alternate(rounds, {
      subject: () => run(large),
      yardstick: () => run({ connections: 0, request: '' }),
    })
    report(large.title, subject, yardstick)
  }
}

async function largeOnes(account: BenchAccount): Promise<Large[]> {
  await account.makeLists(['things'], {})
  const withoutPermission = await account.generateToken([{ mode: 'allow', action: 'view', resourceType: 'stats' }])
  const sync = { path: '/sync-schema', body: documentOfKeys() }
  const batch = { path: '/lists/things/items/batch', body: batchOfNothing() }
  const items = batchOfItems('########', 6_000)
  const by = (token: string, { path, body }: { path: string; body: string }) =>
    requestText({ path, headers: { 'x-api-token': token }, body })
  return [
    { title: 'documents of a token without permission', connections: 4, request: by(withoutPermission, sync) },
    { title: 'batches of a token without permission', connections: 4, request: by(withoutPermission, batch) },
    {
      title: 'sign-ins of unknown properties',
      connections: 4,
      request: by('', { path: '/auth/login', body: unknownProperties() }),
    },
    { title: 'documents of too many lists', connections: 4, request: by(account.token, sync) },
    { title: 'batches of too many operations', connections: 4, request: by(account.token, batch) },
    { title: 'batches of 1,000 items of 6 KB', connections: 10, request: by(account.token, { ...batch, body: items }) },
    {
      title: 'plans of 2,000 lists',
      connections: 4,
      request: by(account.token, { path: '/sync-schema?dryRun=true', body: documentOfLists() }),
    },
  ]
}

/** Milliseconds of each request until then. */
async function timesOf(origin: string, seconds: number): Promise<number[]> {
  const connection = await openRawConnection(origin)
  const request = requestText({ path: '/health/live', headers: {} })
  const times: number[] = []
  for (const until = monotonicMs() + seconds * 1_000; monotonicMs() < until; ) {
    const startedAt = monotonicMs()
    await connection.send(request)
    times.push(monotonicMs() - startedAt)
    await sleep(5)
  }
  connection.close()
  return times
}

function report(title: string, busy: readonly Run[], quiet: readonly Run[]): void {
  const at = (runs: readonly Run[], share: number) => runs.map(({ times }) => overTime(times, share))
  const figures = (runs: readonly Run[]) => [0.5, 0.99, 1].map((share) => spread(at(runs, share), 1)).join(', ')
  figure(title, `${spread(ratios(at(busy, 0.5), at(quiet, 0.5)), 1)} of the quiet p50`)
  figure('  p50, p99 and longest meanwhile', `${figures(busy)} ms; quiet ${figures(quiet)} ms`)
  const answered = spread(busy.map((run) => run.answered))
  figure('  answered; most memory', `${answered}; ${rounded(Math.max(...busy.map((run) => run.peakMb)))} MB`)
}

/**
 * The time within which this share of requests ends, if they arrive at random moments. The requests were sent one after the other, so
 * each counts by its duration: a long one would have delayed many others.
 */
function overTime(times: readonly number[], share: number): number {
  let left = sum(times) * share
  for (const time of times.toSorted((a, b) => a - b)) {
    left -= time
    if (left <= 0) return time
  }
  return Math.max(0, ...times)
}
