import { randomUUID } from 'node:crypto'
import { flushCompileCache } from 'node:module'
import { type Config, loadConfig } from '#shared/config/load.ts'
import { createLogger, flushed, type Logger } from '#shared/log/logger.ts'
import { withTimeLimit } from '#shared/time/time-limit.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { describeError } from './describe-error.ts'
import { answerPings, notifySupervisor } from './messages.ts'
import { endSignals, ignoreHangup } from './signals.ts'
import { startExitCode } from './start-error.ts'
import { closeMs } from './stop-times.ts'
import { trimMemorySoon } from './trim-memory.ts'

/** The arguments of a service at its start. */
export type ServiceContext = {
  config: Config
  log: Logger
  /** A unique name of this run of the process, which owns its leases. */
  instance: string
  /** Dead instances of this service that this one replaces: their leases may be released. */
  replaces: readonly string[]
  /** The configuration as its sources are now. @throws ConfigError */
  reloadConfig(): Config
}

export type RunningService = {
  /** Accepts no new work, finishes its current work and releases everything. */
  close(): Promise<void>
  /** Its URL, if it listens for clients. */
  address?: string
  /** Further fields of the log line about its start: where it listens. */
  started?: { publicUrl?: string; listens?: string; opsPort?: number }
  /** Resolves with a sentence for the operator when it can no longer work and must end. */
  failed?: Promise<string>
}

export type StartService = (context: ServiceContext) => Promise<RunningService>

type RunOptions = {
  instance?: string | undefined
  replaces?: readonly string[] | undefined
  onReady?: () => Promise<void>
}

/** How long closing may take after the end of the supervisor. */
const orphanCloseMs = 1_800

/**
 * Runs a service until it must end: the signals to end and its own failure give it 12.5 s, the end of the supervisor's channel
 * 2 s. A service that cannot start says why in one sentence and exits with the code of `start-error.ts`.
 * @param options.onReady notifies the process that waits for the service, where that is not a supervisor
 */
export async function runService(name: string, start: StartService, options: RunOptions = {}): Promise<void> {
  const { instance = `${name}-${randomUUID()}`, replaces = [] } = options
  const ending = awaitEnd()
  answerPings()
  try {
    const config = loadConfig()
    const log = createLogger({ service: name, ...config.log })
    endOnUncaught(log)
    ignoreHangup(log)
    const service = await start({ config, log, instance, replaces, reloadConfig: loadConfig })
    log('service.started', { instance, version: packageFile.version, ...service.started })
    // The supervisor's banner must come after these log lines.
    await flushed()
    await notifySupervisor({ ready: true, address: service.address ?? null })
    if (process.send === undefined) await options.onReady?.()
    flushCompileCache()
    trimMemorySoon()
    const { reason, withinMs, code } = await Promise.race([ending, failureOf(service)])
    log(code === 0 ? 'service.stopping' : 'service.failed', { reason, withinMs })
    await closeWithin(service, { withinMs, code, log })
  } catch (error) {
    await reportFailure(name, error)
  }
}

type End = { reason: string; withinMs: number; code: 0 | 1 }

/** Listens from the beginning, so that a signal during the start is not lost. */
function awaitEnd(): Promise<End> {
  // Waiting for a signal alone does not keep a process running.
  const hold = setInterval(() => {}, 2 ** 30)
  const ending = new Promise<End>((resolve) => {
    for (const signal of endSignals) {
      process.on(signal, () => resolve({ reason: signal, withinMs: closeMs, code: 0 }))
    }
    onSupervisorGone(() => resolve({ reason: 'the supervisor is gone', withinMs: orphanCloseMs, code: 0 }))
  })
  return ending.finally(() => clearInterval(hold))
}

async function failureOf({ failed = new Promise(() => {}) }: RunningService): Promise<End> {
  return { reason: await failed, withinMs: closeMs, code: 1 }
}

/** The supervisor may be gone before this process listens; a process started by hand has none. */
function onSupervisorGone(end: () => void): void {
  if (process.send === undefined) return
  if (!process.connected) process.exit(1)
  process.on('disconnect', () => {
    end()
    // Needed while it is still starting, or closing slowly after an earlier signal.
    setTimeout(() => process.exit(1), orphanCloseMs).unref()
  })
}

async function closeWithin(
  service: RunningService,
  { withinMs, code, log }: Pick<End, 'withinMs' | 'code'> & { log: Logger },
): Promise<void> {
  const closed = service.close().then(() => true)
  const isClosed = await withTimeLimit(closed, withinMs, () => false)
  if (isClosed) log('service.stopped')
  else log('service.stop_timed_out', { withinMs })
  // Anything that still keeps the event loop alive has been closed or does not matter.
  await exit(isClosed ? code : 1)
}

function endOnUncaught(log: Logger): void {
  process.on('uncaughtException', (error) => {
    log('service.crashed', { err: error })
    void exit(1)
  })
}

async function exit(code: number): Promise<void> {
  await flushed()
  process.exit(code)
}

/** Under a supervisor, the supervisor prints the sentence. */
async function reportFailure(name: string, error: unknown): Promise<void> {
  const sentence = describeError(error)
  const exitCode = startExitCode(error)
  if (process.connected) await notifySupervisor({ failed: sentence, exitCode })
  else process.stderr.write(`listd: ${name} cannot start: ${sentence}\n`)
  process.exit(exitCode)
}
