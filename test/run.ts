import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type Backend, openBackend } from './support/backends/backend.ts'
import type { Source } from './support/backends/find-server.ts'
import { type NatsServers, openNats } from './support/backends/nats/nats-servers.ts'
import { type CallSites, createCallSites } from './support/call-sites/call-sites.ts'
import { cpuSeconds } from './support/runner/cpu.ts'
import { keepFilesInMemory } from './support/runner/files-in-memory.ts'
import { concurrency, type LaneOfRun, planRooms } from './support/runner/queue.ts'
import { costOf, showProgress } from './support/runner/reports/progress.ts'
import { summaryOf, writeCosts } from './support/runner/reports/summary.ts'
import { runRooms } from './support/runner/run-rooms.ts'
import {
  type BackendName,
  backendNames,
  filesFor,
  type Lane,
  namedFiles,
  soakFilesFor,
} from './support/runner/test-files.ts'
import type { SourceFile } from './support/tidy/source-files.ts'

const usage = `Runs the integration and end to end tests on SQLite, and what can differ there on Postgres and MySQL or MariaDB.
node test/run.ts [--backend sqlite|postgres|mysql]... [--servers any|containers|local] [--match title]... [test file or folder...] [-- ava option...]
With --soak: what has rounds goes through all of them, on SQLite by default. TEST_SEED=N repeats a run.
`

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())

async function main(): Promise<number> {
  const asked = readArguments()
  if (asked.soaks) beginSoak()
  say(`files: ${keepFilesInMemory()}`)
  await using undo = new AsyncDisposableStack()
  const files = filesOfLanes(asked)
  const { nats, backends } = await openServers(files, { ...asked, undo })
  const lacking = [...files.keys()].filter((lane) => lane !== 'unit' && !backends.has(lane))
  const callSites = undo.adopt(createCallSites(), (sites) => sites.remove())
  const isWhole = asked.paths.length === 0 && !asked.soaks && asked.match.length === 0
  const lanes = [...files].flatMap(([lane, ofLane]) => toLane(lane, { files: ofLane, backends, callSites, isWhole }))
  const failed = await runLanes(lanes, { ...asked, nats, callSites, isWhole })
  for (const lane of lacking) failed.push(`${lane}: its tests did not run, because no server was found here`)
  if (isWhole && failed.length === 0) failed.push(...(await missedPlaces([...backends.keys()], callSites)))
  for (const line of failed) say(line)
  return failed.length === 0 ? 0 : 1
}

type Arguments = {
  backends: readonly BackendName[]
  source: Source
  paths: string[]
  match: string[]
  /** Passed to ava. */
  args: string[]
  soaks: boolean
}

function readArguments(): Arguments {
  const options = {
    backend: { type: 'string', multiple: true },
    servers: { type: 'string' },
    match: { type: 'string', multiple: true, default: [] as string[] },
    soak: { type: 'boolean', default: false },
  } as const
  const { values, positionals, tokens } = parseArgs({ options, allowPositionals: true, tokens: true })
  const end = tokens.find(({ kind }) => kind === 'option-terminator')?.index ?? Number.POSITIVE_INFINITY
  const args = tokens.flatMap((token) => (token.kind === 'positional' && token.index > end ? [token.value] : []))
  const asked = values.backend ?? (values.soak ? ['sqlite'] : backendNames)
  const backends = backendNames.filter((name) => asked.includes(name))
  const source = (['any', 'containers', 'local'] as const).find((one) => one === (values.servers ?? 'any'))
  const paths = positionals.slice(0, positionals.length - args.length)
  if (source && backends.length === new Set(asked).size)
    return { backends, source, paths, match: [...values.match], args, soaks: values.soak }
  process.stderr.write(usage)
  process.exit(2)
}

/** Sets the environment variables that test files read (see `test/support/load/soak.ts`). */
function beginSoak(): void {
  process.env.TEST_SOAK = '1'
  process.env.TEST_SEED ??= `${randomInt(2 ** 31)}`
  say(`soak: TEST_SEED=${process.env.TEST_SEED}`)
}

function filesOfLanes({ backends, paths, soaks }: Arguments): Map<Lane, SourceFile[]> {
  if (paths.length > 0) return namedFiles(paths, backends)
  if (soaks) return new Map(backends.map((name) => [name, soakFilesFor(name)]))
  return new Map(
    backends.map((name) => {
      const { files, elsewhere } = filesFor(name)
      const { sameOnSqlite, ofOtherBackends } = elsewhere
      say(
        `${name}: ${files.length} files; ${sameOnSqlite} run on SQLite only, ${ofOtherBackends} are for another backend`,
      )
      return [name, files]
    }),
  )
}

type Servers = { nats: NatsServers; backends: Map<Lane, Backend> }

/** Starts the servers of the lanes, all at once. @param options.undo ends them */
async function openServers(
  files: ReadonlyMap<Lane, unknown>,
  { source, undo }: { source: Source; undo: AsyncDisposableStack },
): Promise<Servers> {
  const names = backendNames.filter((name) => files.has(name))
  const opened = names.map(async (name) => {
    const backend = await openBackend(name, source)
    if (backend) undo.defer(() => backend.stop())
    say(`${name}: ${backend ? `${backend.version}, ${backend.from}` : 'none was found here'}`)
    return [name, backend] as const
  })
  const nats =
    names.length === 0 ? { urls: '', reported: 'none is needed', stop: async () => {} } : await openNats(source)
  undo.defer(() => nats.stop())
  say(`NATS: ${nats.reported}`)
  const all = await Promise.all(opened)
  return { nats, backends: new Map(all.flatMap(([name, backend]) => (backend ? [[name, backend] as const] : []))) }
}

function toLane(
  lane: Lane,
  {
    files,
    backends,
    callSites,
    isWhole,
  }: { files: SourceFile[]; backends: Servers['backends']; callSites: CallSites; isWhole: boolean },
): LaneOfRun[] {
  if (lane === 'unit') return [{ lane, files, env: {} }]
  const backend = backends.get(lane)
  if (!backend) return []
  return [{ lane, files, env: { ...backend.settings, ...(isWhole && callSites.ava.settings(lane)) } }]
}

type RunOfLanes = Arguments & { nats: NatsServers; callSites: CallSites; isWhole: boolean }

/** @returns the failures, one line each */
async function runLanes(lanes: readonly LaneOfRun[], run: RunOfLanes): Promise<string[]> {
  const begunAt = performance.now()
  const { args, match, nats, callSites, isWhole, paths } = run
  const rooms = planRooms(lanes, { match, natsUrls: nats.urls })
  const progress = showProgress(rooms)
  const verbose = paths.length > 0 && rooms.length < verboseRooms
  const avaArgs = [...(isWhole ? callSites.ava.args : []), ...args]
  const options = { args: avaArgs, concurrency, signal: stopping.signal, progress, verbose }
  const { reports, failed } = await runRooms(rooms, options)
  progress.end()
  const cost = { wall: (performance.now() - begunAt) / 1_000, cpu: cpuSeconds() }
  say('')
  for (const line of summaryOf(reports)) say(line)
  if (isWhole) say(`all of it: ${writeCosts(reports, cost)}`)
  const parts = reports.filter((report) => report.kind === 'part')
  const count = (of: 'passed' | 'failed') => parts.reduce((sum, part) => sum + part[of], 0)
  say(`${parts.length} files in ${rooms.length} rooms: ${costOf(cost)}`)
  say(`${count('passed')} passed, ${Math.max(count('failed'), failed.length > 0 ? 1 : 0)} failed`)
  return [...failed]
}

/** With fewer rooms than this, ava's whole output is printed. */
const verboseRooms = 4

/**
 * Reasons why a run fails although its tests passed: SQLite would begin a join with the wrong table, or the tests of a server do not
 * reach a statement that SQLite's tests reach.
 */
async function missedPlaces(lanes: readonly Lane[], callSites: CallSites): Promise<string[]> {
  if (!lanes.includes('sqlite')) return []
  const servers = backendNames.filter((name) => name !== 'sqlite' && lanes.includes(name))
  const missed = servers.flatMap((name) =>
    callSites.onlyOnSqlite(name).map((site) => `${name}: ${site}: no test on this database gets here`),
  )
  return [...(await callSites.badJoinOrders()), ...missed]
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

process.exitCode = await main()
