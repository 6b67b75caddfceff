import type { Logger } from '#shared/log/logger.ts'

export type Afterwards = {
  run(work: () => Promise<void>): void
  /** Resolves when all of it is done. */
  settled(): Promise<void>
}

/** Work that nobody waits for and that the next occasion makes good when it fails. */
export function createAfterwards(log: Logger): Afterwards {
  const underWay = new Set<Promise<void>>()
  return {
    run(work) {
      const done = work()
        .catch((error) => log.warn({ err: error }, 'not done; the next login tries again'))
        .finally(() => underWay.delete(done))
      underWay.add(done)
    },
    async settled() {
      await Promise.all(underWay)
    },
  }
}
