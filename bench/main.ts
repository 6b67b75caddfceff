import { parseArgs } from 'node:util'
import { clearAll } from './support/cleared.ts'
import { monotonicMs } from './support/clock.ts'
import { type BenchDatabase, startDatabase } from './support/database.ts'
import { printMachine } from './support/machine.ts'
import { watchOthers } from './support/others.ts'
import { fullPace, type Pace, quickPace } from './support/pace.ts'
import { print, rounded } from './support/report.ts'

/** `profiles`: a folder for what the scenario can record of the processes; absent, nothing is recorded. */
type Options = { profiles?: string | undefined }

/**
 * `node bench/main.ts [--quick] [--database sqlite|postgres|mysql] [--profiles folder] [scenario…]`: runs these scenarios, or
 * all. It reports figures; none passes or fails.
 */
const scenarios: Record<string, () => Promise<(pace: Pace, options: Options) => Promise<void>>> = {
  start: async () => (await import('./scenarios/start.ts')).start,
  reads: async () => (await import('./scenarios/reads.ts')).reads,
  'index-pages': async () => (await import('./scenarios/index-pages.ts')).indexPages,
  creates: async () => (await import('./scenarios/creates.ts')).creates,
  batches: async () => (await import('./scenarios/batches.ts')).batches,
  'index-build': async () => (await import('./scenarios/index-build.ts')).indexBuild,
  latency: async () => (await import('./scenarios/latency.ts')).latency,
  'event-cost': async () => (await import('./scenarios/event-cost.ts')).eventCost,
  'black-holes': async () => (await import('./scenarios/black-holes.ts')).blackHoles,
  purge: async () => (await import('./scenarios/purge.ts')).purge,
  sync: async () => (await import('./scenarios/sync.ts')).sync,
  drain: async () => (await import('./scenarios/drain.ts')).drain,
  logins: async () => (await import('./scenarios/logins.ts')).logins,
  validation: async () => (await import('./scenarios/validation.ts')).validation,
  'login-flood': async () => (await import('./scenarios/login-flood.ts')).loginFlood,
}

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean' }, database: { type: 'string' }, profiles: { type: 'string' } },
  allowPositionals: true,
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void clearAll().finally(() => process.exit(1)))
}

const databases: readonly BenchDatabase[] = ['sqlite', 'postgres', 'mysql']
const database = databases.find((name) => name === (values.database ?? 'sqlite'))
if (!database) throw new Error(`there is no database "${values.database}"; there are ${databases.join(', ')}`)

printMachine()
print(`database  ${await startDatabase(database)}`)
if (values.quick) print('quick     short runs, which only show that everything works')
try {
  for (const name of positionals.length > 0 ? positionals : Object.keys(scenarios)) await run(name)
} finally {
  await clearAll()
}

async function run(name: string): Promise<void> {
  const load = scenarios[name]
  if (!load) throw new Error(`there is no scenario "${name}"; there are ${Object.keys(scenarios).join(', ')}`)
  const startedAt = monotonicMs()
  const others = watchOthers()
  print(`\n${name}`)
  const scenario = await load()
  await scenario(values.quick ? quickPace : fullPace, { profiles: values.profiles })
  const took = rounded((monotonicMs() - startedAt) / 1_000)
  print(`  (took ${took} s, during which other programs used ${rounded(others.share() * 100)} % of the machine)`)
}
