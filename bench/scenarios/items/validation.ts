import { ratios } from '../../../test/support/load/statistics.ts'
import { freePort } from '../../../test/support/processes/free-port.ts'
import { monotonicMs } from '../../support/clock.ts'
import type { LoadResult } from '../../support/loads/closed-loop.ts'
import { alternate, type Pace } from '../../support/loads/pace.ts'
import { openRawConnection, requestText } from '../../support/loads/raw-connection.ts'
import { figure, spread } from '../../support/measures/report.ts'
import { startProgram } from '../../support/programs/program.ts'
import { makeAccount } from '../../support/worlds/account.ts'
import { startListd } from '../../support/worlds/listd.ts'

const named = (length: number, part: (n: number) => [string, unknown]) =>
  Object.fromEntries(Array.from({ length }, (_, n) => part(n)))

/** Validating an item by it exceeds the limit of steps. */
const hostileSchema = { patternProperties: named(500, (n) => [`^(a+)+${n}$`, { type: 'number' }]) }
const hostileData = named(5_000, (n) => [`${'a'.repeat(30)}${n}`, 1])
const atOnce = 8

type Run = LoadResult & { pauseMs: number; validated: number }

/** How long the gateway's event loop pauses, and a read takes, during validations that are designed to take long. */
export async function validation({ rounds, share }: Pace): Promise<void> {
  const opsPort = await freePort()
  await using listd = await startListd({ LISTD_GATEWAY_OPS_PORT: String(opsPort) })
  const account = await makeAccount(listd)
  await account.makeLists(['things'])
  await account.makeLists(['hostile'], hostileSchema)
  const headers = { 'x-api-token': account.token }
  const path = `/lists/things/items/${await account.createItem('things', 'read')}`
  const hostile = requestText({ path: '/lists/hostile/items', headers, body: JSON.stringify({ data: hostileData }) })
  await using client = await startProgram<null>('load.ts', null)

  async function run(validations: number): Promise<Run> {
    const seconds = 4 * share
    await longestPauseMs(opsPort)
    const flood = sendFor(seconds, { origin: listd.address, request: hostile, connections: validations })
    const requests = [requestText({ path, headers })]
    const result = await client.ask<LoadResult>({ origin: listd.address, requests, connections: 1, seconds })
    const pauseMs = await longestPauseMs(opsPort)
    return { ...result, pauseMs, validated: await flood }
  }

  const both = { subject: () => run(atOnce), yardstick: () => run(0) }
  await alternate(1, both)
  const { subject, yardstick } = await alternate(rounds + 2, both)
  const pause = (runs: readonly Run[]) => runs.map(({ pauseMs }) => pauseMs)
  const p99 = (runs: readonly Run[]) => runs.map(({ p99Ms }) => p99Ms)
  const ratio = spread(ratios(pause(subject), pause(yardstick)), 1)
  figure('longest pause, ratio', `${ratio} to the same without validations; looked for every 20 ms`)
  figure(`  during ${atOnce} validations`, `${spread(pause(subject))} ms, reads p99 ${spread(p99(subject), 2)} ms`)
  figure('  without', `${spread(pause(yardstick))} ms, reads p99 ${spread(p99(yardstick), 2)} ms`)
  figure('  validations a run', spread(subject.map(({ validated }) => validated)))
}

/** Sends a request repeatedly on each connection. @returns how many were answered */
async function sendFor(
  seconds: number,
  { origin, request, connections }: { origin: string; request: string; connections: number },
): Promise<number> {
  const endsAt = monotonicMs() + seconds * 1_000
  const counts = Array.from({ length: connections }, async () => {
    const connection = await openRawConnection(origin)
    let count = 0
    for (; monotonicMs() < endsAt; count++) await connection.send(request)
    connection.close()
    return count
  })
  return (await Promise.all(counts)).reduce((all, count) => all + count, 0)
}

/** The longest pause of the gateway's event loop since the last call, by its own metric. */
async function longestPauseMs(opsPort: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_max_seconds(?:{.*})? (\S+)$/m.exec(metrics)?.[1]) * 1_000
}
