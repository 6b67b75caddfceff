import { setTimeout as delay } from 'node:timers/promises'
import { describeError } from '#shared/lifecycle/describe-error.ts'
import type { Logger } from '#shared/log/logger.ts'
import { type BackOff, createBackOff } from './back-off.ts'
import type { Ending } from './terminate.ts'

/** One life of a process. */
export type Run = {
  /** Settles when the process is gone, with how it ended: `code 1`, `signal SIGKILL`. */
  ended: Promise<string>
  /** Asks it to end, kills it when it takes longer than that, and waits until it is gone, but not for ever. */
  stop(withinMs: number): Promise<Ending>
}

export type RestartingProcess = {
  /** Ends the process for good. */
  stop(withinMs: number): Promise<void>
  /** Ends this run; the next follows at once. */
  restart(withinMs: number): Promise<void>
}

/**
 * Runs a process and starts it again whenever it ends, with capped exponential back-off.
 * @param options.launch settles when the process is ready; rejects when it cannot be, or when `signal` aborts
 * @param options.backOff how long it waits between a run's end and the next launch
 * @throws whatever the first launch throws: what never ran is not kept alive
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
  let renewing = false
  let relaunching = Promise.resolve()
  void watch()

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      const startedAt = performance.now()
      const how = await run.ended
      if (signal.aborted) return
      const livedMs = Math.round(performance.now() - startedAt)
      if (!renewing) log('process.exited', { process: name, how, livedMs })
      relaunching = relaunch(renewing ? 0 : backOff.next(livedMs))
      await relaunching
      renewing = false
    }
  }

  async function relaunch(firstDelayMs: number): Promise<void> {
    for (let delayMs = firstDelayMs; !signal.aborted; delayMs = backOff.next(0)) {
      try {
        await delay(delayMs, undefined, { signal })
        run = await launch(signal)
        log('process.restarted', { process: name })
        return
      } catch (error) {
        if (!signal.aborted) log('process.restart_failed', { process: name, reason: describeError(error) })
      }
    }
  }

  async function end(withinMs: number): Promise<void> {
    const ending = await run.stop(withinMs)
    const fields = { process: name, withinMs: Math.round(withinMs) }
    if (ending === 'killed') log('process.killed', fields)
    if (ending === 'stuck') log('process.stuck', fields)
  }

  return {
    async stop(withinMs) {
      stopping.abort()
      const last = run
      await Promise.all([end(withinMs), relaunching])
      // A launch that was under way may have won against the abort.
      if (run !== last) await end(withinMs)
    },
    async restart(withinMs) {
      renewing = true
      await end(withinMs)
    },
  }
}
