import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseSettings, takeEmpty } from '../../../test/support/databases/database.ts'
import { processTree } from '../../../test/support/processes/processes.ts'
import { cleared, temporaryFolder } from '../cleared.ts'
import { monotonicMs, until } from '../clock.ts'

/** Everything that `make start` runs, on its own data directory. */
export type Listd = {
  address: string
  dataDir: string
  /** From the start of `make` until the banner. */
  tookMs: number
  processes(): { name: string; pid: number }[]
  /** The output of all processes so far. */
  output(): string
  /** Starts one more gateway on the same database, which ends with the others. @returns its address */
  startGateway(): Promise<string>
} & AsyncDisposable

const root = join(import.meta.dirname, '../../..')

/** A control group that listd starts in, and whether listd can no longer become ready there. */
type Within = { processesFile: string; isLost(): boolean }

/**
 * Starts listd as an operator does. Its log goes to a file, because reading a pipe would take time from the measurement.
 * @param env settings that override the defaults
 */
export async function startListd(env: Record<string, string> = {}, within?: Within): Promise<Listd> {
  const folder = await temporaryFolder('listd')
  const dataDir = join(folder.path, 'data')
  await mkdir(dataDir, { mode: 0o700 })
  const releaseDatabase = await takeEmpty(dataDir)
  const logFile = join(folder.path, 'log')
  const log = await open(logFile, 'w')
  const startedAt = monotonicMs()
  const entering = within ? `echo $$ > ${within.processesFile}; ` : ''
  // An observation counts calls of packages, but cannot reach those in the bundle.
  const start = !env.NODE_OPTIONS?.includes('--import')
    ? 'make start'
    : `${process.execPath} services/supervisor/main.ts start`
  const own = { LISTD_GATEWAY_PORT: '0', ...env, LISTD_DATA_DIR: dataDir, ...databaseSettings(dataDir) }
  const make = spawn('sh', ['-c', `${entering}exec ${start}`], {
    cwd: root,
    env: { ...cleanEnvironment(), ...own },
    stdio: ['ignore', log.fd, log.fd],
  })
  await log.close()
  const gateways: ChildProcess[] = []
  const listd: Listd = {
    address: '',
    dataDir,
    tookMs: 0,
    processes: () => processTree(make.pid ?? 0).map(({ pid, command }) => ({ pid, name: nameOf(command) })),
    output: () => readFileSync(logFile, 'utf8'),
    startGateway: () =>
      startGateway(own, { dataDir, gateways, logFile: join(folder.path, `gateway-${gateways.length}`) }),
    ...cleared(async () => {
      await Promise.all(gateways.map(stop))
      await stop(make)
      await releaseDatabase()
      await folder[Symbol.asyncDispose]()
    }),
  }
  try {
    listd.address = await bannerAddress(make, { logFile, isLost: within?.isLost ?? (() => false) })
  } catch (error) {
    await listd[Symbol.asyncDispose]()
    throw error
  }
  listd.tookMs = monotonicMs() - startedAt
  return listd
}

async function startGateway(
  settings: Record<string, string>,
  { dataDir, gateways, logFile }: { dataDir: string; gateways: ChildProcess[]; logFile: string },
): Promise<string> {
  const log = await open(logFile, 'w')
  const [nats, key] = [join(dataDir, 'nats-url'), join(dataDir, 'master-key')]
  const keyed = 'LISTD_SECRETS_MASTER_KEY' in settings ? {} : { LISTD_SECRETS_MASTER_KEY_FILE: key }
  const gateway = spawn('scripts/listd', ['service', 'gateway'], {
    cwd: root,
    env: { ...cleanEnvironment(), LISTD_NATS_URL_FILE: nats, ...keyed, ...settings },
    stdio: ['ignore', log.fd, log.fd],
  })
  await log.close()
  gateways.push(gateway)
  const address = () => /"publicUrl":"(http[^"]+)"/.exec(readFileSync(logFile, 'utf8'))?.[1]
  await until(() => address() !== undefined || hasEnded(gateway), { what: 'a second gateway', withinMs: 60_000 })
  const found = address()
  if (found === undefined) throw new Error(`a second gateway did not start:\n${readFileSync(logFile, 'utf8')}`)
  return found
}

/** The process that runs a program of listd. @throws Error when there is none */
export function pidOf(listd: Listd, name: string): number {
  const found = listd.processes().find((process) => process.name === name)
  if (!found) throw new Error(`${name} does not run`)
  return found.pid
}

/** Without the settings in the environment of the person who runs the bench. */
function cleanEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('LISTD_')))
}

type Start = { logFile: string; isLost(): boolean }

async function bannerAddress(make: ChildProcess, { logFile, isLost }: Start): Promise<string> {
  let text = ''
  const address = () => /^ +API +(http\S+)/m.exec(text)?.[1]
  const look = async () => {
    text = await readFile(logFile, 'utf8')
    return address() !== undefined || hasEnded(make) || isLost()
  }
  await until(look, { what: 'the banner', withinMs: 120_000, everyMs: 2 })
  const found = address()
  if (found === undefined) throw new Error(`listd did not start (${make.exitCode}):\n${text}`)
  return found
}

/** The supervisor drains the others; then make exits. A separate gateway ends on its own. */
async function stop(make: ChildProcess): Promise<void> {
  if (hasEnded(make)) return
  const ended = once(make, 'exit')
  const supervisor = processTree(make.pid ?? 0).find(({ command }) => nameOf(command) === 'supervisor')
  process.kill(supervisor?.pid ?? make.pid ?? 0, 'SIGTERM')
  await ended
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

function nameOf(command: string): string {
  const service = /main\.[jt]s service (\S+)/.exec(command)?.[1]
  if (service !== undefined) return service
  if (/main\.[jt]s start$/.test(command)) return 'supervisor'
  if (/^\S*nats-server /.test(command)) return 'nats-server'
  return /nats-guard/.test(command) ? 'nats-guard' : (command.split(' ')[0] ?? command)
}
