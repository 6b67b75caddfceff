import defaults from '../../config/default.json' with { type: 'json' }
import { ratios } from '../../test/support/load/statistics.ts'
import { startTestProgram } from '../../test/support/programs/test-program.ts'
import type { LoadResult } from '../support/loads/closed-loop.ts'
import { alternate, type Pace } from '../support/loads/pace.ts'
import { requestText } from '../support/loads/raw-connection.ts'
import { describeCpu, describeRuns, type Run, runLoad } from '../support/loads/runs.ts'
import { cpuSeconds } from '../support/measures/processes.ts'
import { figure, spread } from '../support/measures/report.ts'
import type { HashingResult } from '../support/programs/bare-hashing.ts'
import { type Program, startProgram } from '../support/programs/program.ts'
import { makeAccount } from '../support/worlds/account.ts'
import { type Listd, startListd } from '../support/worlds/listd.ts'

/** As many identities as connections, in rotation, so that no name reaches the limit of attempts. */
const connections = 16
const password = 'correct horse battery staple'

/**
 * Identities that sign in with the right password, through all processes, compared with verifying such a hash by sodium
 * alone, with the same parameters and as many at once.
 */
export async function logins({ rounds, share }: Pace): Promise<void> {
  await using listd = await startListd()
  const names = Array.from({ length: connections }, (_, n) => `bench-${n}`)
  const account = await makeAccount(listd)
  for (const name of names) await account.registerIdentity({ name, password })
  await using client = await startProgram<null>('load.ts', null)
  await using bare = await startProgram<null>('bare-hashing.ts', defaults.passwords)
  const headers = { 'x-api-token': account.token }
  const requests = names.map((name) => {
    return requestText({ path: '/identities/login', headers, body: JSON.stringify({ name, password }) })
  })
  const origin = listd.address
  const signIn = (seconds: number) => runLoad(client, { origin, requests, connections, seconds }, listd.processes())
  const measured = (seconds: number) => ({ subject: () => signIn(seconds), yardstick: () => hash(bare, seconds) })
  await alternate(1, measured(2 * share))
  report(await alternate(rounds, measured(6 * share)))
  const one = () => client.ask<LoadResult>({ origin, requests, connections: 1, seconds: 2 * share })
  await duringCommits(listd, { one, rounds })
}

/** What the write lock costs a login: one login at a time, next to a process that commits items as fast as it can, and alone. */
async function duringCommits(
  { dataDir }: Listd,
  { one, rounds }: { one(): Promise<LoadResult>; rounds: number },
): Promise<void> {
  await using undo = new AsyncDisposableStack()
  const teardown = (run: () => unknown) => undo.defer(async () => void (await run()))
  const committer = await startTestProgram({ teardown }, 'busy-committer.ts', dataDir)
  async function subject(): Promise<LoadResult> {
    await committer.ask('start')
    const result = await one()
    await committer.ask('stop')
    return result
  }
  const runs = await alternate(rounds, { subject, yardstick: one })
  const p50 = (results: readonly LoadResult[]) =>
    spread(
      results.map(({ p50Ms }) => p50Ms),
      1,
    )
  figure(
    'one login during commits',
    `p50 ${p50(runs.subject)} ms, alone ${p50(runs.yardstick)} ms; target <= 50 ms more`,
  )
}

type Hashed = HashingResult & { cpuMicros: number }

async function hash(bare: Program<null>, seconds: number): Promise<Hashed> {
  const cpuBefore = cpuSeconds(bare.pid)
  const result = await bare.ask<HashingResult>({ seconds })
  return { ...result, cpuMicros: ((cpuSeconds(bare.pid) - cpuBefore) * 1e6) / result.count }
}

function report({ subject, yardstick }: { subject: Run[]; yardstick: Hashed[] }): void {
  const { memoryMib, operations } = defaults.passwords
  const perSecond = (runs: readonly { perSecond: number }[]) => runs.map((run) => run.perSecond)
  const ratio = spread(ratios(perSecond(subject), perSecond(yardstick)), 2)
  figure('load', `${connections} connections, hashes of ${memoryMib} MiB and ${operations} passes`)
  figure('logins/s', `ratio ${ratio} to sodium alone on all cores`)
  figure('  listd', describeRuns(subject))
  figure('  sodium', `${spread(perSecond(yardstick), 1)} /s`)
  figure('  CPU of listd', describeCpu(subject))
  figure('  CPU of sodium', `${spread(yardstick.map(({ cpuMicros }) => cpuMicros))} µs each`)
}
