import { setTimeout as pause } from 'node:timers/promises'
import { describeError } from '#shared/lifecycle/describe-error.ts'
import type { Logger } from '#shared/log/logger.ts'
import { type BackOff, createBackOff } from './back-off.ts'
import type { Ending } from './terminate.ts'

/** One run of a process, from launch to exit. */
export type Run = {
  /** Resolves when the process has ended, with how it ended: `code 1`, `signal SIGKILL`. */
  ended: Promise<string>
  /** Asks it to end, kills it if that takes too long, and waits a bounded time until it has ended. */
  stop(withinMs: number): Promise<Ending>
}

export type RestartingProcess = {
  name: string
  /** Ends the process permanently. */
  stop(withinMs: number): Promise<void>
  /** Ends this run; the next one starts immediately. */
  restart(withinMs: number): Promise<void>
}

/**
 * Runs a process and starts it again whenever it ends, with capped exponential back-off.
 * @param options.launch resolves when the process is ready; rejects when it cannot start, or when `signal` aborts
 * @param options.backOff how long to wait between the end of a run and the next launch
 * @throws what the first launch throws: a process that never ran is not restarted
 */
export async function restartOnExit(options: {
  name: string
  log: Logger
  launch(signal: AbortSignal): Promise<Run>
  backOff?: BackOff
}): Promise<RestartingProcess> {
  const { name, log, launch, backOff = createBackOff() } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let run = await launch(signal)
  let restarting = false
  let relaunching = Promise.resolve()
  void watch()

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      const startedAt = performance.now()
      const how = await run.ended
      if (signal.aborted) return
      const livedMs = Math.round(performance.now() - startedAt)
      if (!restarting) log('process.exited', { process: name, how, livedMs })
      relaunching = relaunch(restarting ? 0 : backOff.next(livedMs))
      await relaunching
      restarting = false
    }
  }

  async function relaunch(firstDelayMs: number): Promise<void> {
    for (let delayMs = firstDelayMs; !signal.aborted; delayMs = backOff.next(0)) {
      try {
        await pause(delayMs, undefined, { signal })
        run = await launch(signal)
        log('process.restarted', { process: name })
        return
      } catch (error) {
        if (!signal.aborted) log('process.restart_failed', { process: name, reason: describeError(error) })
      }
    }
  }

  async function end(withinMs: number): Promise<void> {
    logEnding(log, await run.stop(withinMs), { process: name, withinMs: Math.round(withinMs) })
  }

  return {
    name,
    async stop(withinMs) {
      stopping.abort()
      const last = run
      await Promise.all([end(withinMs), relaunching])
      // A launch in progress may have succeeded before the abort reached it.
      if (run !== last) await end(withinMs)
    },
    async restart(withinMs) {
      restarting = true
      await end(withinMs)
    },
  }
}

function logEnding(log: Logger, ending: Ending, fields: { process: string; withinMs: number }): void {
  if (ending === 'killed') log('process.killed', fields)
  if (ending === 'stuck') log('process.stuck', fields)
}
