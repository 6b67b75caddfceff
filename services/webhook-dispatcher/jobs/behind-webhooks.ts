import type { Database } from '#shared/data/database.ts'
import { markBehind } from '#shared/data/deliveries/held-retention.ts'
import type { Logger } from '#shared/log/logger.ts'

type Marking = {
  db: Database
  log: Logger
  maxWaiting: number
  wake(): void
}

const everyMs = 5_000

/**
 * Looks every 5 s for webhooks that are behind without a mark: dispatchers of version 0.2 that run next to this one remove it.
 * Each dispatcher does this, because a lease would be written more often than a webhook is found.
 * @returns a function that stops it
 */
export function startMarkingBehind({ db, log, maxWaiting, wake }: Marking): () => Promise<void> {
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  let timer = setTimeout(next, everyMs)
  timer.unref()

  function next(): void {
    running = look().finally(() => {
      if (stopped) return
      timer = setTimeout(next, everyMs)
      timer.unref()
    })
  }

  async function look(): Promise<void> {
    try {
      if ((await markBehind(db, { maxWaiting })) > 0) wake()
    } catch (error) {
      log('job.failed', { err: error, job: 'behind-webhooks' })
    }
  }

  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}
