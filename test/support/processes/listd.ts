import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../assertions/until.ts'
import { leaseNats } from '../backends/nats/nats-lease.ts'
import { appointDatabase, databaseSettings, takeMigrated } from '../databases/database.ts'
import { type Api, createApi } from '../http/api.ts'
import { type Credentials, makeCredentials } from '../http/credentials.ts'
import { recordCpu } from '../runner/cpu.ts'
import { assertNoSecretsIn, assertNoSecretsLogged } from '../test-context/canaries.ts'
import { showOnFailure } from '../test-context/failure-log.ts'
import type { LogLine } from '../test-context/output.ts'
import type { Teardown } from '../test-context/teardown.ts'
import { processesOn, processTree } from './processes.ts'
import { addressReader, createRunner, endOf, hasEnded, isReady, type Runner, readyMs, type Service } from './runner.ts'

export type Program = Service | 'nats-server'

/** `databaseUrl`: a migrated database to use instead of one on the tests' shared server. */
export type ListdOptions = { env?: Record<string, string>; databaseUrl?: string }

/** Everything `listd start` runs, as real processes on a separate data directory. */
export type Listd = {
  readonly dataDir: string
  readonly credentials: Credentials
  /** The current address of the gateway; each of its starts uses another port. */
  readonly address: string
  readonly supervisor: ChildProcess
  /** Calls as an API token that allows everything, and as the account's user. */
  api: Api
  user: Api
  /** The same processes, called with a separate account, so that tests do not see each other's data. */
  anotherAccount(): Promise<Listd>
  /** The standard output and standard error of all processes so far. */
  output(): string
  /** The log lines in the output; with a text, those that contain it. */
  logged(text?: string): LogLine[]
  /** The supervised process that currently runs it; 0: it does not run. */
  pidOf(program: Program): number
  /** Sends a signal to the supervised process that currently runs it. */
  signal(program: Program, signal: NodeJS.Signals): void
  /** Resolves when a process other than this one runs the service and is ready. */
  replaced(service: Service, pid: number): Promise<void>
  /** Starts another process of a service on the same data directory, without a supervisor. */
  startService(service: Service): Promise<ChildProcess>
  /** Starts again on the same data directory after the supervisor has ended. */
  restart(): Promise<void>
  /** Whether the supervisor has ended. */
  hasEnded(): boolean
  /** Requests the supervisor to end, with SIGTERM unless a signal is given. @returns its exit code */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** Kills the supervisor like a crash. */
  kill(): Promise<void>
}

/**
 * Starts listd for one test, or for all tests of a file, and creates an account with a user and a token; resolves when the banner is
 * printed. Everything is removed when the test ends.
 */
export async function testListd(t: Teardown, { env, databaseUrl }: ListdOptions = {}): Promise<Listd> {
  const dataDir = await mkdtemp(join(tmpdir(), 'listd-e2e-'))
  t.teardown(async () => {
    await assertNoSecretsIn(dataDir).finally(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20 }))
  })
  const databaseTaken = databaseUrl === undefined ? takeMigrated(dataDir) : appointDatabase(dataDir, databaseUrl)
  t.teardown(await databaseTaken)
  const nats = await leaseNats()
  t.teardown(nats.release)
  const runner = createRunner(dataDir, { ...databaseSettings(dataDir), ...nats.settings, ...env })
  t.teardown(() => assertNoSecretsLogged('the log of listd', runner.output.lines))
  t.teardown(() => endAll(dataDir))
  showOnFailure(t, 'listd', () => runner.output.lines)
  const supervisor = await runner.start()
  return assemble({ dataDir, runner, supervisor, credentials: await makeCredentials(dataDir) })
}

function assemble(begun: {
  dataDir: string
  runner: Runner
  supervisor: ChildProcess
  credentials: Credentials
}): Listd {
  const { dataDir, runner } = begun
  const { output } = runner
  const address = addressReader(output)
  let { supervisor } = begun
  const pidOf = (program: Program) =>
    processTree(supervisor.pid ?? 0).find(({ command }) => commands[program].test(command))?.pid ?? 0
  const callsOf = (credentials: Credentials) => ({
    credentials,
    api: createApi(address, { 'x-api-token': credentials.token }),
    user: createApi(address, { authorization: `Bearer ${credentials.session}` }),
  })
  const listd: Listd = {
    dataDir,
    pidOf,
    ...callsOf(begun.credentials),
    get address() {
      return address()
    },
    get supervisor() {
      return supervisor
    },
    anotherAccount: async () => Object.assign(Object.create(listd), callsOf(await makeCredentials(dataDir))),
    output: () => output.lines.join('\n'),
    logged: output.logged,
    signal(program, signal) {
      const pid = pidOf(program)
      if (pid === 0) throw new Error(`no ${program} runs`) // 0 would be this process and its group
      process.kill(pid, signal)
    },
    replaced(service, pid) {
      const isAnother = () => pidOf(service) !== pid && isReady(output, { service, pid: pidOf(service) })
      return until(isAnother, { withinMs: readyMs, what: `another ${service} than process ${pid}` })
    },
    startService: runner.startService,
    async restart() {
      supervisor = await runner.start()
    },
    hasEnded: () => hasEnded(supervisor),
    stop(signal = 'SIGTERM') {
      supervisor.kill(signal)
      return endOf(supervisor)
    },
    async kill() {
      recordCpu(processesOn(dataDir))
      supervisor.kill('SIGKILL')
      await endOf(supervisor)
    },
  }
  return listd
}

const commands: Record<Program, RegExp> = {
  gateway: /service gateway/,
  identity: /service identity/,
  'webhook-dispatcher': /service webhook-dispatcher/,
  'nats-server': /^\S*nats-server /,
}

/** Ends every process on a data directory, including frozen ones, and those without a supervisor. */
export async function endAll(dataDir: string): Promise<void> {
  const look = () => {
    const left = killAll(dataDir)
    return left.length === 0 || left
  }
  await until(look, { what: 'the end of every process' })
}

/** Kills every process on the data directory. @returns the processes */
export function killAll(dataDir: string): { pid: number; command: string }[] {
  const found = processesOn(dataDir)
  recordCpu(found)
  for (const { pid } of found) killNow(pid)
  return found
}

/** Kills a process, which may have just ended. */
export function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
