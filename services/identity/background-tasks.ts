import type { Logger } from '#shared/log/logger.ts'

export type BackgroundTasks = {
  run(work: () => Promise<void>): void
  /** Resolves when all of it is done. */
  idle(): Promise<void>
}

/** Work that nobody waits for and that the next occasion makes good when it fails. */
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
