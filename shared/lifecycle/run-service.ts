import { randomUUID } from 'node:crypto'
import { flushCompileCache } from 'node:module'
import { type Config, loadConfig } from '#shared/config/load.ts'
import { createLogger, flushed, type Logger } from '#shared/log/logger.ts'
import { describeError } from './describe-error.ts'
import { tellSupervisor } from './messages.ts'
import { trimMemorySoon } from './trim-memory.ts'

/** What a service is started with. */
export type ServiceContext = {
  config: Config
  log: Logger
  /** Names this run of this process, and no other: the owner of its leases. */
  instance: string
  /** Instances of this service that died and that this one stands in for: their leases may be given back. */
  replaces: readonly string[]
}

export type RunningService = {
  /** Takes no new work, finishes what it has and lets go of everything. */
  close(): Promise<void>
  /** The URL it can be reached at, when it listens for clients. */
  address?: string
}

export type StartService = (context: ServiceContext) => Promise<RunningService>

/** How long closing may take when asked to end, and when the supervisor is gone. */
const closeMs = 10_000
const orphanCloseMs = 1_800

/**
 * Runs a service until it is asked to end: SIGTERM and SIGINT give it 10 s; the end of the supervisor's channel, 2 s.
 * A service that cannot start tells why in one sentence and ends with 1.
 */
export async function runService(
  name: string,
  start: StartService,
  options: { instance?: string | undefined; replaces?: readonly string[] | undefined } = {},
): Promise<void> {
  const { instance = `${name}-${randomUUID()}`, replaces = [] } = options
  const ending = awaitEnd()
  try {
    const config = loadConfig()
    const log = createLogger({ service: name, level: config.log.level })
    endOnUncaught(log)
    const service = await start({ config, log, instance, replaces })
    log('service.started', { instance, ...(service.address && { address: service.address }) })
    // What a supervisor prints when all are ready comes after what they log.
    await flushed()
    await tellSupervisor({ ready: true, address: service.address ?? null })
    flushCompileCache()
    trimMemorySoon()
    const { reason, withinMs } = await ending
    log('service.stopping', { reason, withinMs })
    await closeWithin(service, { withinMs, log })
  } catch (error) {
    await reportFailure(name, error)
  }
}

type End = { reason: string; withinMs: number }

/** Listens from the very beginning: a signal that comes while the service starts is kept. */
function awaitEnd(): Promise<End> {
  // A service may be waiting for nothing but its end, which alone does not keep a process running.
  const hold = setInterval(() => {}, 2 ** 30)
  const ending = new Promise<End>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => resolve({ reason: signal, withinMs: closeMs }))
    }
    onSupervisorGone(() => resolve({ reason: 'the supervisor is gone', withinMs: orphanCloseMs }))
  })
  return ending.finally(() => clearInterval(hold))
}

/** A supervisor may be gone before this process has come so far as to listen; one started by hand has none. */
function onSupervisorGone(tell: () => void): void {
  if (process.send === undefined) return
  if (!process.connected) process.exit(1)
  process.on('disconnect', () => {
    tell()
    // Also when it is still starting, or closing at leisure for a signal that came before.
    setTimeout(() => process.exit(1), orphanCloseMs).unref()
  })
}

async function closeWithin(
  service: RunningService,
  { withinMs, log }: { withinMs: number; log: Logger },
): Promise<void> {
  const timer = setTimeout(() => {
    log('service.stop_timed_out', { withinMs })
    void exit(1)
  }, withinMs)
  await service.close()
  clearTimeout(timer)
  log('service.stopped')
  // Whatever still holds the event loop has been closed or does not matter.
  await exit(0)
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

/** Under a supervisor the sentence is the supervisor's to print. */
async function reportFailure(name: string, error: unknown): Promise<void> {
  const sentence = describeError(error)
  if (process.connected) await tellSupervisor({ failed: sentence })
  else process.stderr.write(`listd: ${name} cannot start: ${sentence}\n`)
  process.exit(1)
}
