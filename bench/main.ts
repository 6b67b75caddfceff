import { parseArgs } from 'node:util'
import { clearAll } from './support/cleared.ts'
import { monotonicMs } from './support/clock.ts'
import { fullPace, type Pace, quickPace } from './support/loads/pace.ts'
import { printMachine } from './support/measures/machine.ts'
import { watchOthers } from './support/measures/others.ts'
import { print, rounded } from './support/measures/report.ts'
import { type BenchDatabase, startDatabase } from './support/worlds/database.ts'

/**
 * `profiles`: a folder for the profiles of processes that the scenario can record; absent: nothing is recorded. `sizes`: numbers of
 * items, smallest first. `only`: parts of the titles of the measurements to run; absent: all of them.
 */
type Options = {
  profiles?: string | undefined
  sizes?: readonly number[] | undefined
  only?: readonly string[] | undefined
}
type Scenario = (pace: Pace, options: Options) => Promise<void>

/** What each scenario measures, and its module: loaded when it runs, because modules find the database when they are loaded. */
const scenarios: Record<string, [about: string, load: () => Promise<Scenario>]> = {
  start: ['from make start to the banner; memory when idle', async () => (await import('./scenarios/start.ts')).start],
  dashboard: [
    'a page of 100 items and an item of 1 MiB painted in chromium, with the CPU throttled four times, compared with a bare table and text',
    async () => (await import('./scenarios/dashboard.ts')).dashboard,
  ],
  memory: [
    'memory of each process, and the least in which listd runs: idle, and under large writes with logins at the same time',
    async () => (await import('./scenarios/memory.ts')).memory,
  ],
  reads: [
    'an item and a page, compared with bare hapi',
    async () => (await import('./scenarios/items/reads.ts')).reads,
  ],
  'index-pages': ['pages by an index', async () => (await import('./scenarios/items/index-pages.ts')).indexPages],
  search: [
    'searches, and creates with and without searched words; --sizes 20000',
    async () => (await import('./scenarios/items/search.ts')).search,
  ],
  creates: [
    'creates a second, compared with bare hapi',
    async () => (await import('./scenarios/items/creates.ts')).creates,
  ],
  'hot-rows': [
    'creates of three processes in the lists of one account, compared with lists of as many accounts',
    async () => (await import('./scenarios/items/hot-rows.ts')).hotRows,
  ],
  'flow-runs': [
    'runs of a flow that update an item, compared with PUTs with if-match, and GETs followed by them',
    async () => (await import('./scenarios/flow-runs.ts')).flowRuns,
  ],
  expressions: [
    'nodes of expressions of flows a second, compared with validating items; the most expensive expressions',
    async () => (await import('./scenarios/expressions.ts')).expressions,
  ],
  batches: [
    'batches of 1,000, compared with single creates',
    async () => (await import('./scenarios/items/batches.ts')).batches,
  ],
  'large-requests': [
    "others' wait during large requests, and the gateway's memory",
    async () => (await import('./scenarios/items/large-requests.ts')).largeRequests,
  ],
  'index-build': [
    'an index build during creates',
    async () => (await import('./scenarios/items/index-build.ts')).indexBuild,
  ],
  latency: [
    'from a create to its receipt at 200 events/s, compared with a bare relay',
    async () => (await import('./scenarios/deliveries/latency.ts')).latency,
  ],
  idle: [
    'CPU of each process while nothing happens, with 1,000 webhooks',
    async () => (await import('./scenarios/idle.ts')).idle,
  ],
  'event-cost': [
    'CPU and work of each process for one event; --profiles FOLDER writes a CPU profile of each',
    async () => (await import('./scenarios/deliveries/event-cost.ts')).eventCost,
  ],
  'black-holes': [
    'from a create to its receipt next to 40 and 200 servers that never answer',
    async () => (await import('./scenarios/deliveries/black-holes.ts')).blackHoles,
  ],
  growth: [
    'CPU of each kind of call on lists of 10,000 to 1,000,000 items, only where it is named; --sizes 10000,100000 --only purge',
    async () => (await import('./scenarios/growth.ts')).growth,
  ],
  retention: [
    'old events deleted a second, compared with those that batches write',
    async () => (await import('./scenarios/deliveries/retention.ts')).retention,
  ],
  purge: [
    'the purge of a list, and others at the same time',
    async () => (await import('./scenarios/items/purge.ts')).purge,
  ],
  sync: ['syncs of many lists, and others at the same time', async () => (await import('./scenarios/sync.ts')).sync],
  drain: [
    '10,000 waiting deliveries to 50 webhooks, compared with a bare loop',
    async () => (await import('./scenarios/deliveries/drain.ts')).drain,
  ],
  held: [
    'events that are held past the bound of waiting deliveries, compared with waiting ones; bytes of a held event',
    async () => (await import('./scenarios/deliveries/held.ts')).held,
  ],
  queues: [
    'such a drain and 200 events/s compared with graphile-worker; needs --database postgres, installs it from npm',
    async () => (await import('./scenarios/deliveries/queues.ts')).queues,
  ],
  realtime: [
    'what a create pays with 0, 1 and 200 live streams, frames between two gateways, and the memory of 2,000 idle streams',
    async () => (await import('./scenarios/realtime/realtime.ts')).realtime,
  ],
  logins: ['logins, compared with hashing alone', async () => (await import('./scenarios/logins.ts')).logins],
  validation: [
    'the event loop during slow validations',
    async () => (await import('./scenarios/items/validation.ts')).validation,
  ],
  'login-flood': [
    'reads during a flood of logins',
    async () => (await import('./scenarios/login-flood.ts')).loginFlood,
  ],
}

/** It takes an hour, so that it is left out where all run. */
const onlyNamed = ['growth']

const databases: readonly BenchDatabase[] = ['sqlite', 'postgres', 'mysql']
const usage = `usage: node bench/main.ts [--quick] [--database ${databases.join('|')}] [--profiles FOLDER] [--sizes N,N] [--only TITLE]... [SCENARIO...]

Runs these scenarios, or all but growth, and prints figures; none passes or fails. --quick only shows that everything works.
--only measures what has this text in its title, and may be given several times.
${Object.entries(scenarios)
  .map(([name, [about]]) => `\n  ${name.padEnd(12)} ${about}`)
  .join('')}`

const { values, positionals } = parseArgs({
  options: {
    help: { type: 'boolean' },
    quick: { type: 'boolean' },
    database: { type: 'string' },
    profiles: { type: 'string' },
    sizes: { type: 'string' },
    only: { type: 'string', multiple: true },
  },
  allowPositionals: true,
})
if (values.help) {
  print(usage)
  process.exit()
}
const database = databases.find((name) => name === (values.database ?? 'sqlite'))
if (!database) throw new Error(`there is no database "${values.database}"; there are ${databases.join(', ')}`)
const unknown = positionals.find((name) => !Object.hasOwn(scenarios, name))
if (unknown !== undefined) {
  throw new Error(`there is no scenario "${unknown}"; there are ${Object.keys(scenarios).join(', ')}`)
}

const sizes = values.sizes?.split(',').map(Number)
if (sizes?.some((size, n) => !(size >= 1_000 && size > (sizes[n - 1] ?? 0)))) {
  throw new Error('--sizes are numbers of items from 1,000, smallest first, such as 10000,100000')
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void clearAll().finally(() => process.exit(1)))
}

await printMachine()
print(`database  ${await startDatabase(database)}`)
if (values.quick) print('quick     short runs, which only show that everything works')
try {
  for (const [name, [, load]] of Object.entries(scenarios)) {
    if (positionals.includes(name) || (positionals.length === 0 && !onlyNamed.includes(name))) await run(name, load)
  }
} finally {
  await clearAll()
}

async function run(name: string, load: () => Promise<Scenario>): Promise<void> {
  const startedAt = monotonicMs()
  const others = watchOthers()
  print(`\n${name}`)
  const scenario = await load()
  await scenario(values.quick ? quickPace : fullPace, { profiles: values.profiles, sizes, only: values.only })
  const took = rounded((monotonicMs() - startedAt) / 1_000)
  print(`  (took ${took} s, during which other programs used ${rounded(others.share() * 100)} % of the machine)`)
}
