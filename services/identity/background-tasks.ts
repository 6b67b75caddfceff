import type { Logger } from '#shared/log/logger.ts'

type BackgroundTasks = {
  run(work: () => Promise<void>): void
  /** Resolves when all tasks are done. */
  idle(): Promise<void>
}

/** Runs work that no request waits for; if it fails, a later login repeats it. */
export function createBackgroundTasks(log: Logger): BackgroundTasks {
  const inFlight = new Set<Promise<void>>()
  return {
    run(work) {
      const done = work()
        .catch((error) => log('background_task.failed', { err: error }))
        .finally(() => inFlight.delete(done))
      inFlight.add(done)
    },
    async idle() {
      await Promise.all(inFlight)
    },
  }
}
