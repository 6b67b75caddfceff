import { parseArgs } from 'node:util'
import { type Backend, openBackend } from './support/backends/backend.ts'
import { dearestFiles } from './support/backends/cpu-of-files.ts'
import type { Source } from './support/backends/find-server.ts'
import { type NatsServers, openNats } from './support/backends/nats-servers.ts'
import { runAva } from './support/backends/run-ava.ts'
import { type BackendName, backendNames, filesFor } from './support/backends/test-files.ts'
import { type CallSites, createCallSites } from './support/call-sites/call-sites.ts'

const usage = `Runs the integration and end to end tests on SQLite, and what can differ there on Postgres and MySQL or MariaDB.
node test/run.ts [--backend sqlite|postgres|mysql]... [--servers any|containers|local] [test file...] [-- ava option...]
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
  const { backends, source, args } = readArguments()
  const nats = await openNats(source)
  say(`NATS: ${nats.told}`)
  const callSites = createCallSites()
  const outcomes: Outcome[] = []
  try {
    for (const name of backends) {
      if (stopping.signal.aborted) break
      const outcome = await runBackend(name, { source, args, nats, callSites })
      outcomes.push(isWhole(args) ? reachesAll(outcome, outcomes, callSites) : outcome)
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

function readArguments(): { backends: readonly BackendName[]; source: Source; args: string[] } {
  const options = { backend: { type: 'string', multiple: true }, servers: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const asked = values.backend ?? backendNames
  const backends = backendNames.filter((name) => asked.includes(name))
  const source = (['any', 'containers', 'local'] as const).find((one) => one === (values.servers ?? 'any'))
  if (source && backends.length === new Set(asked).size) return { backends, source, args: positionals }
  process.stderr.write(usage)
  process.exit(2)
}

type Run = { source: Source; args: string[]; nats: NatsServers; callSites: CallSites }

/** Whether every file runs, and all of it. */
function isWhole(args: readonly string[]): boolean {
  return args.length === 0
}

/** A server whose tests passed has failed all the same where they leave out what SQLite's reached. */
function reachesAll(outcome: Outcome, before: readonly Outcome[], callSites: CallSites): Outcome {
  const sqlite = before.find(({ name }) => name === 'sqlite')
  if (sqlite?.result !== 'passed' || outcome.result !== 'passed') return outcome
  const missed = callSites.onlyOnSqlite(outcome.name)
  if (missed.length === 0) return outcome
  return { ...outcome, result: 'failed', failed: missed.map((site) => `${site}: no test on this database gets here`) }
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
  { args, backend, nats, callSites }: Run & { backend: Backend },
): Promise<string[]> {
  const { paths, elsewhere, withOwnNats, alone } = filesFor(name)
  const { signal } = stopping
  if (args.some((arg) => !arg.startsWith('-'))) {
    const isOwn = args.some((arg) => withOwnNats.has(arg))
    return runAva(args, { settings: settingsFor(backend, isOwn ? '' : nats.urls), signal })
  }
  const { sameOnSqlite, ofOtherBackends } = elsewhere
  say(`${name}: ${paths.length} files; ${sameOnSqlite} run on SQLite only, ${ofOtherBackends} are for another backend`)
  const beside = paths.filter((path) => !alone.has(path))
  const own = nats.urls === '' ? [] : beside.filter((path) => withOwnNats.has(path))
  const rounds = [
    { files: beside.filter((path) => !own.includes(path)), urls: nats.urls, concurrency: 3 },
    { files: own, urls: '', concurrency: 2 },
    { files: [...alone], urls: '', concurrency: 1 },
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
