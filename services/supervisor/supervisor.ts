import { environmentWithFiles } from '#shared/config/environment.ts'
import type { Config } from '#shared/config/load.ts'
import type { Env } from '#shared/config/sources/from-env.ts'
import { StartError, startExitCodes } from '#shared/lifecycle/start-error.ts'
import { closeMs } from '#shared/lifecycle/stop-times.ts'
import type { Logger } from '#shared/log/logger.ts'
import { findExposedPaths } from './exposed-paths.ts'
import { masterKeyFile } from './master-key.ts'
import { createNatsPassword } from './nats/nats-files.ts'
import { launchNatsServer } from './nats/nats-server.ts'
import { waitUntilFree } from './nats/port.ts'
import { ownProgram } from './own-program.ts'
import { launchService, newInstance, runCommand, type ServiceCommand } from './processes/child.ts'
import { findNatsServer } from './processes/find-program.ts'
import { type RestartingProcess, restartOnExit } from './processes/restart-on-exit.ts'
import { serviceNames } from './processes/service-names.ts'

type Supervised = {
  /** Where the gateway answers. */
  address: string
  /** The token in the link that sets up the first user; null when there is a user. */
  setupToken: string | null
  /** Drains the services and ends everything: gateway and dispatcher first. */
  stop(): Promise<void>
  /** Kills everything, even during a stop. */
  kill(): Promise<void>
}

/** `env`: the environment from which child processes read their settings. */
type Context = { config: Config; env: Env; log: Logger }

/** Processes that end at the same time; each stage serves the ones before it. */
const stages: readonly { names: readonly string[]; leastMs: number }[] = [
  { names: ['gateway', 'webhook-dispatcher'], leastMs: closeMs + 500 },
  { names: ['identity'], leastMs: 3_000 },
  { names: ['nats-server'], leastMs: 2_000 },
]
/** Everything ends within this time. */
export const stopMs = stages.reduce((sum, { leastMs }) => sum + leastMs, 0)
/** A gateway frees its port within this time after its supervisor was killed. */
const portFreeMs = 2_500
/** How many dead instances are passed to the next one; the leases of older ones have expired. */
const maxReplaced = 20

/**
 * Starts nats-server if no server is configured, upgrades the schema, and runs the services until stopped.
 * @throws Error with one sentence when something cannot start; what has started is stopped first
 */
export async function supervise(context: Context): Promise<Supervised> {
  const running: RestartingProcess[] = []
  const stop = () => stopInOrder(running)
  const kill = async () => void (await Promise.all(running.map((process) => process.stop(0))))
  try {
    const { files, setupToken } = await prepare(context, running)
    const { config, log } = context
    const env = environmentWithFiles(files, context.env)
    const results = await Promise.allSettled(serviceNames.map((name) => superviseService({ name, env, log })))
    const services = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value)
    running.unshift(...services.map(({ kept }) => kept))
    for (const result of results) if (result.status === 'rejected') throw result.reason
    return { address: services[0]?.address ?? config.gateway.publicUrl, setupToken, stop, kill }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The files from which services read secrets, by configuration key, and the token of the migration. */
type Prepared = { files: Record<string, string>; setupToken: string | null }

/** Prepares what the services need: the master key, NATS, the schema and the gateway's port. */
async function prepare(context: Context, running: RestartingProcess[]): Promise<Prepared> {
  const { config, env, log } = context
  const keyFile = await masterKeyFile(config)
  for (const { path, to } of await findExposedPaths(config)) log('data_directory.exposed', { path, others: to })
  const files: Record<string, string> = keyFile === null ? {} : { 'secrets.masterKey': keyFile }
  const nats = config.nats.url === '' ? startNats(context, running) : Promise.resolve({})
  const migrated = migrate(environmentWithFiles(files, env))
  const needs = await Promise.allSettled([nats, migrated, waitForGatewayPort(config)])
  for (const need of needs) if (need.status === 'rejected') throw need.reason
  return { files: { ...files, ...(await nats) }, setupToken: await migrated }
}

async function startNats({ config, log }: Context, running: RestartingProcess[]): Promise<Record<string, string>> {
  const program = await findNatsServer(config)
  const password = createNatsPassword()
  let urlFile = ''
  let port = 0
  const kept = await restartOnExit({
    name: 'nats-server',
    log,
    async launch(signal) {
      const run = await launchNatsServer({ program, dataDir: config.dataDir, password, log }, signal)
      const moved = port !== 0 && port !== run.port
      port = run.port
      urlFile = run.urlFile
      // The services read the new address when they start.
      if (moved) for (const other of running) if (other !== kept) void other.restart(closeMs)
      return run
    },
  })
  running.push(kept)
  return { 'nats.url': urlFile }
}

/** Runs in a separate process, so that its memory is freed afterwards. @returns the set-up token, if one is needed */
async function migrate(env: Env): Promise<string | null> {
  const command = [...ownProgram, 'migrate', '--setup-link'] as const
  const { setupToken = null } = await runCommand({ name: 'migrate', command, env })
  return setupToken
}

async function waitForGatewayPort({ gateway: { host, port } }: Config): Promise<void> {
  if (port === 0 || (await waitUntilFree({ host, port }, portFreeMs))) return
  throw new StartError(
    startExitCodes.tryAgain,
    `port ${port} on ${host} is in use by another program. Stop it, or choose another with --port or LISTD_GATEWAY_PORT.`,
  )
}

async function superviseService(options: {
  name: string
  env: ServiceCommand['env']
  log: Logger
}): Promise<{ kept: RestartingProcess; address: string | null }> {
  const { name, env, log } = options
  const service: ServiceCommand = { name, env, command: [...ownProgram, 'service', name] }
  let replaced: string[] = []
  let address: string | null = null
  const kept = await restartOnExit({
    name,
    log,
    async launch(signal) {
      const instance = newInstance(name)
      const replaces = replaced
      replaced = [...replaced, instance].slice(-maxReplaced)
      const onHung = (silentMs: number) => log('process.hung', { process: name, silentMs })
      const run = await launchService(service, { instance, replaces, signal, onHung })
      // Once ready it has replaced the dead instances, and the next one replaces only this one.
      replaced = [instance]
      address = run.address
      return run
    },
  })
  return { kept, address }
}

/** Ends one stage after the other. Each has its minimum time regardless of the earlier ones, plus the time that they left. */
async function stopInOrder(running: readonly RestartingProcess[]): Promise<void> {
  const startedAt = performance.now()
  let endsAfterMs = 0
  for (const { names, leastMs } of stages) {
    endsAfterMs += leastMs
    const leftMs = Math.max(leastMs, startedAt + endsAfterMs - performance.now())
    await Promise.all(running.filter(({ name }) => names.includes(name)).map((process) => process.stop(leftMs)))
  }
}
