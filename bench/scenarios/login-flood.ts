import { floodEnv, floodLogins } from '../../test/support/identity/login-flood.ts'
import { ratios } from '../../test/support/load/statistics.ts'
import type { LoadResult } from '../support/loads/closed-loop.ts'
import { alternate, type Pace } from '../support/loads/pace.ts'
import { requestText } from '../support/loads/raw-connection.ts'
import { figure, spread } from '../support/measures/report.ts'
import { startProgram } from '../support/programs/program.ts'
import { makeAccount } from '../support/worlds/account.ts'
import { startListd } from '../support/worlds/listd.ts'

type Flooded = LoadResult & { loginsPerSecond: number }

/** How long reading an item takes during a flood of logins with unknown names that keeps every hashing thread busy. */
export async function loginFlood({ rounds, share }: Pace): Promise<void> {
  await using listd = await startListd(floodEnv)
  const account = await makeAccount(listd)
  await account.makeLists(['things'])
  const path = `/lists/things/items/${await account.createItem('things', 'read')}`
  await using client = await startProgram<null>('load.ts', null)
  const requests = [requestText({ path, headers: { 'x-api-token': account.token } })]
  const read = (connections: number, seconds: number) =>
    client.ask<LoadResult>({ origin: listd.address, requests, connections, seconds })

  async function flooded(connections: number, seconds: number): Promise<Flooded> {
    const flood = floodLogins({ address: listd.address, credentials: { token: account.token } })
    const result = await read(connections, seconds)
    const loginsPerSecond = flood.verified() / seconds
    await flood.stop()
    return { ...result, loginsPerSecond }
  }

  await alternate(1, { subject: () => flooded(8, 2 * share), yardstick: () => read(8, 2 * share) })
  for (const connections of [1, 8]) {
    const seconds = 4 * share
    const both = { subject: () => flooded(connections, seconds), yardstick: () => read(connections, seconds) }
    report(connections, await alternate(rounds + 2, both))
  }
}

function report(
  connections: number,
  { subject, yardstick }: { subject: readonly Flooded[]; yardstick: readonly LoadResult[] },
): void {
  const p99 = (runs: readonly LoadResult[]) => runs.map(({ p99Ms }) => p99Ms)
  const p50 = (runs: readonly LoadResult[]) => runs.map(({ p50Ms }) => p50Ms)
  const ratio = spread(ratios(p99(subject), p99(yardstick)), 1)
  figure(`p99 of ${connections} connections, ratio`, `${ratio} to the same without logins; target <= 3`)
  const logins = spread(subject.map(({ loginsPerSecond }) => loginsPerSecond))
  figure('  during logins', `p50 ${spread(p50(subject), 2)} ms, p99 ${spread(p99(subject), 2)} ms; ${logins} logins/s`)
  figure('  without', `p50 ${spread(p50(yardstick), 2)} ms, p99 ${spread(p99(yardstick), 2)} ms`)
}
