import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type Backend, openBackend } from './support/backends/backend.ts'
import { dearestFiles } from './support/backends/cpu-of-files.ts'
import { keepFilesInMemory } from './support/backends/files-in-memory.ts'
import type { Source } from './support/backends/find-server.ts'
import { type NatsServers, openNats } from './support/backends/nats-servers.ts'
import { runAva } from './support/backends/run-ava.ts'
import { type BackendName, backendNames, filesFor, soakFilesFor } from './support/backends/test-files.ts'
import { type CallSites, createCallSites } from './support/call-sites/call-sites.ts'

const usage = `Runs the integration and end to end tests on SQLite, and what can differ there on Postgres and MySQL or MariaDB.
node test/run.ts [--backend sqlite|postgres|mysql]... [--servers any|containers|local] [test file...] [-- ava option...]
With --soak: what has rounds goes through all of them, on SQLite unless told otherwise. TEST_SEED=N repeats a run.
`

type Outcome = {
  name: BackendName
  told: string
  seconds: number
  result: 'passed' | 'failed' | 'did not run'
  failed: readonly string[]
}

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
process.exitCode = await main()

async function main(): Promise<number> {
  const { backends, source, args, soaks } = readArguments()
  if (soaks) beginSoak()
  say(`files: ${keepFilesInMemory()}`)
  const nats = await openNats(source)
  say(`NATS: ${nats.told}`)
  const callSites = createCallSites()
  const outcomes: Outcome[] = []
  try {
    for (const name of backends) {
      if (stopping.signal.aborted) break
      const outcome = await runBackend(name, { source, args, nats, callSites, soaks })
      const isWhole = args.length === 0 && !soaks
      outcomes.push(isWhole ? await checked(outcome, outcomes, callSites) : outcome)
    }
  } finally {
    callSites.remove()
    await nats.stop()
  }
  say('')
  for (const line of dearestFiles()) say(line)
  for (const { name, told, seconds, result } of outcomes) say(`${name}: ${result} in ${seconds} s, ${told}`)
  // Repeated at the very end, because thousands of lines may lie between a failure and this one.
  for (const { name, failed } of outcomes) for (const line of failed) say(`${name}: ${line}`)
  return outcomes.length === backends.length && outcomes.every(({ result }) => result === 'passed') ? 0 : 1
}

type Arguments = { backends: readonly BackendName[]; source: Source; args: string[]; soaks: boolean }

function readArguments(): Arguments {
  const options = {
    backend: { type: 'string', multiple: true },
    servers: { type: 'string' },
    soak: { type: 'boolean', default: false },
  } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const asked = values.backend ?? (values.soak ? ['sqlite'] : backendNames)
  const backends = backendNames.filter((name) => asked.includes(name))
  const source = (['any', 'containers', 'local'] as const).find((one) => one === (values.servers ?? 'any'))
  if (source && backends.length === new Set(asked).size)
    return { backends, source, args: positionals, soaks: values.soak }
  process.stderr.write(usage)
  process.exit(2)
}

/** What test files read of their environment (see `test/support/load/soak.ts`). */
function beginSoak(): void {
  process.env.TEST_SOAK = '1'
  process.env.TEST_SEED ??= `${randomInt(2 ** 31)}`
  say(`soak: TEST_SEED=${process.env.TEST_SEED}`)
}

type Run = { source: Source; args: string[]; nats: NatsServers; callSites: CallSites; soaks: boolean }

/**
 * A database whose tests passed has failed all the same where SQLite would go about a statement the wrong way round, or
 * where a server's tests leave out what SQLite's reached.
 */
async function checked(outcome: Outcome, before: readonly Outcome[], callSites: CallSites): Promise<Outcome> {
  if (outcome.result !== 'passed') return outcome
  const failed = outcome.name === 'sqlite' ? await callSites.badJoinOrders() : missed(outcome.name, before, callSites)
  return failed.length === 0 ? outcome : { ...outcome, result: 'failed', failed }
}

function missed(name: BackendName, before: readonly Outcome[], callSites: CallSites): string[] {
  if (before.find(({ name }) => name === 'sqlite')?.result !== 'passed') return []
  return callSites.onlyOnSqlite(name).map((site) => `${site}: no test on this database gets here`)
}

async function runBackend(name: BackendName, run: Run): Promise<Outcome> {
  const begunAt = performance.now()
  const outcome = (told: string, result: Outcome['result'], failed: readonly string[] = []): Outcome => {
    return { name, told, result, failed, seconds: Math.round((performance.now() - begunAt) / 1_000) }
  }
  const backend = await openBackend(name, run.source).catch((error: unknown) => String(error))
  if (backend === null) return outcome('none was found here', 'did not run')
  if (typeof backend === 'string') return outcome(backend, 'did not run')
  const told = `${backend.version}, ${backend.from}`
  say(`\n${name}: ${told}`)
  try {
    const failed = await runFiles(name, { ...run, backend })
    return outcome(told, failed.length === 0 ? 'passed' : 'failed', failed)
  } finally {
    await backend.stop()
  }
}

async function runFiles(
  name: BackendName,
  { args, backend, nats, callSites, soaks }: Run & { backend: Backend },
): Promise<string[]> {
  const { paths, elsewhere, withOwnNats } = filesFor(name)
  const { signal } = stopping
  const areNamed = args.some((arg) => !arg.startsWith('-'))
  if (areNamed || soaks) {
    const all = areNamed ? args : [...soakFilesFor(name), ...args]
    const isOwn = all.some((arg) => withOwnNats.has(arg))
    return runAva(all, { settings: settingsFor(backend, isOwn ? '' : nats.urls), signal })
  }
  const { sameOnSqlite, ofOtherBackends } = elsewhere
  say(`${name}: ${paths.length} files; ${sameOnSqlite} run on SQLite only, ${ofOtherBackends} are for another backend`)
  const own = nats.urls === '' ? [] : paths.filter((path) => withOwnNats.has(path))
  const rounds = [
    { files: paths.filter((path) => !own.includes(path)), urls: nats.urls, concurrency: 3 },
    { files: own, urls: '', concurrency: 2 },
  ]
  const failed: string[] = []
  for (const { files, urls, concurrency } of rounds.filter(({ files }) => files.length > 0)) {
    say(
      `${name}: ${files.length} files, ${concurrency} at a time, with ${urls ? nats.told : 'a nats-server of their own'}`,
    )
    const settings = { ...settingsFor(backend, urls), ...callSites.ava.settings(name) }
    failed.push(...(await runAva([...files, ...callSites.ava.args, ...args], { settings, signal, concurrency })))
  }
  return failed
}

function settingsFor({ templateUrl }: Backend, natsUrls: string): Record<string, string> {
  const settings = { TEST_DATABASE_URL: templateUrl, TEST_NATS_URL: natsUrls }
  // A listd that a test starts without saying where its database is fails, instead of quietly running on SQLite.
  return templateUrl === '' ? settings : { ...settings, LISTD_DATABASE_URL: `${templateUrl}_of_no_test` }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
