import { median, ratios } from '../../test/support/load/statistics.ts'
import { manyLists } from '../../test/support/sync/sync.ts'
import { monotonicMs, sleep } from '../support/clock.ts'
import { type NeighbourTimes, p99, timeNeighbour } from '../support/loads/neighbour.ts'
import type { Pace } from '../support/loads/pace.ts'
import { cpuSeconds } from '../support/measures/processes.ts'
import { figure, rounded, spread } from '../support/measures/report.ts'
import { makeAccount } from '../support/worlds/account.ts'
import { type Listd, pidOf, startListd } from '../support/worlds/listd.ts'

const lists = 1_000
const indexes = 5
const quietMs = 3_000

type Call = () => Promise<Cost>
/** Elapsed time, and CPU time of the gateway, which has a resolution of a hundredth of a second. */
type Cost = { ms: number; cpuMs: number }

/**
 * A document of many lists sent for the first time, again unchanged, with one list changed and as a plan, and the export of its
 * lists; each round has new lists, so that the account has more of them with every round. Each time is compared with the first one of
 * its round. Then another account reads a list and creates items during such syncs, compared with a quiet time.
 */
export async function sync({ rounds, share }: Pace): Promise<void> {
  await using listd = await startListd()
  const { token } = await makeAccount(listd)
  const callsOf = (prefix: string) => callsFor(listd, { token, prefix, count: lists * share })
  await callsOf('warm-up').first()
  const costs = new Map<string, Cost[]>()
  for (let round = 0; round < rounds; round++) {
    for (const [name, call] of Object.entries(callsOf(`round-${round}`))) {
      costs.set(name, [...(costs.get(name) ?? []), await call()])
    }
  }
  reportCosts(costs, lists * share)
  await measureDuringSyncs(listd, { rounds, share, callsOf })
}

function callsFor(
  { address, ...listd }: Listd,
  { token, prefix, count }: { token: string; prefix: string; count: number },
) {
  const pid = pidOf({ address, ...listd }, 'gateway')
  const headers = { 'x-api-token': token, 'content-type': 'application/json' }
  async function call(method: string, query: string, body: string | null = null): Promise<Cost> {
    const [begunAt, cpuBefore] = [monotonicMs(), cpuSeconds(pid)]
    const response = await fetch(`${address}/sync-schema${query}`, { method, headers, body })
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return { ms: monotonicMs() - begunAt, cpuMs: (cpuSeconds(pid) - cpuBefore) * 1_000 }
  }
  const document = documentOf(prefix, count)
  return {
    first: () => call('POST', '', document),
    unchanged: () => call('POST', '', document),
    plan: () => call('POST', '?dryRun=true', document),
    'one list changed': () => call('POST', '', document.replace('"asc"', '"desc"')),
    export: () => call('GET', `?scope=${prefix}`),
    'plan of absent lists': () => call('POST', '?dryRun=true', documentOf('absent', count)),
  } satisfies Record<string, Call>
}

function documentOf(prefix: string, count: number): string {
  const entries = Object.values(manyLists(count, indexes, 'asc').lists)
  return JSON.stringify({
    scope: prefix,
    lists: Object.fromEntries(entries.map((list, n) => [`${prefix}-${n}`, list])),
  })
}

function reportCosts(costs: ReadonlyMap<string, readonly Cost[]>, count: number): void {
  const msOf = (name: string) => (costs.get(name) ?? []).map(({ ms }) => ms)
  const cpuOf = (name: string) => (costs.get(name) ?? []).map(({ cpuMs }) => cpuMs)
  for (const name of costs.keys()) {
    const title = name === 'first' ? `${count} lists, ${indexes} indexes each` : `  ${name}`
    figure(title, `${spread(msOf(name))} ms, ${spread(cpuOf(name))} ms of the gateway's CPU`)
    if (name === 'first') continue
    const target = name === 'unchanged' ? '; target <= 0.25' : ''
    const cpu = rounded(median(cpuOf(name)) / median(cpuOf('first')), 3)
    figure('    ratio', `${spread(ratios(msOf(name), msOf('first')), 3)} of the first time, of CPU ${cpu}${target}`)
  }
}

/** @param of.callsOf the calls for lists of a prefix */
async function measureDuringSyncs(
  listd: Listd,
  { rounds, share, callsOf }: Pace & { callsOf(prefix: string): Record<'first' | 'unchanged', Call> },
): Promise<void> {
  const account = await makeAccount(listd)
  await account.makeLists(['quiet'])
  const timesWhile = (over: Promise<unknown>) => timeNeighbour(listd, { account, list: 'quiet', over })
  await timesWhile(sleep(quietMs * share))
  for (const name of ['first', 'unchanged'] as const) {
    const found: Record<'quiet' | 'busy', NeighbourTimes[]> = { quiet: [], busy: [] }
    for (let round = 0; round < rounds; round++) {
      const calls = callsOf(`during-${name === 'first' ? round : 'all'}`)
      if (name === 'unchanged') await calls.first()
      found.quiet.push(await timesWhile(sleep(quietMs * share)))
      found.busy.push(await timesWhile(calls[name]()))
    }
    for (const kind of ['reads', 'creates'] as const) {
      const [quiet, busy] = [found.quiet, found.busy].map((all) => all.flatMap((times) => times[kind]))
      const ratio = rounded(p99(busy ?? []) / p99(quiet ?? []), 1)
      const times = `p99 ${rounded(p99(busy ?? []), 1)} ms, ${ratio} of the quiet ${rounded(p99(quiet ?? []), 1)} ms`
      figure(`  ${kind} during ${name}`, times)
    }
  }
}
