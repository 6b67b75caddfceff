import { createFairQueue, type QueueBounds } from '#shared/admission/fair-queue.ts'
import { AppError, unavailable } from '#shared/errors.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { Task } from './messages.ts'
import { startThread, type Thread, ThreadEnded, type ThreadOptions } from './thread.ts'

export type BackgroundLimits = Omit<ThreadOptions, 'main'> & {
  /** Limits of waiting tasks, of all accounts and of one. */
  waiting: { all: QueueBounds; account: QueueBounds }
  /** How long a task may wait for its turn. */
  waitMs: number
}

/** With a core to itself, a validation takes at most 1 s, and the check of the biggest schema at most 5 s. */
export const backgroundLimits: BackgroundLimits = {
  memoryMib: 512,
  taskMs: 30_000,
  schemas: { count: 64, characters: 2 * 1024 * 1024 },
  waiting: {
    all: { entries: 1_000, size: 64 * 1024 * 1024 },
    account: { entries: 250, size: 16 * 1024 * 1024 },
  },
  waitMs: 10_000,
}

/** Runs tasks that would block the event loop in a separate thread. */
export type BackgroundValidator = {
  /**
   * Runs a task in the thread; accounts take turns.
   * @throws SERVICE_UNAVAILABLE when too many tasks wait, the wait was too long, or the thread could not finish
   */
  run(accountId: string, task: Task): Promise<unknown>
  /** Number of waiting tasks. */
  waiting(): number
  /** Ends the thread; waiting tasks fail with SERVICE_UNAVAILABLE. */
  close(): Promise<void>
}

type Job = PromiseWithResolvers<unknown> & { task: Task; startBy: number }

/** @param options.main the thread's program */
export function createBackgroundValidator({
  log,
  limits = backgroundLimits,
  main = new URL('./thread-main.ts', import.meta.url),
}: {
  log: Logger
  limits?: BackgroundLimits
  main?: URL
}): BackgroundValidator {
  const queue = createFairQueue<Job>(limits.waiting)
  let thread: Thread | null = null
  let busy = false
  let closed = false

  async function drain(): Promise<void> {
    if (busy) return
    busy = true
    for (let job = queue.next(); job; job = queue.next()) await serve(job, runInThread)
    busy = false
  }

  /** A thread may have run out of memory because of its cache, so the task is retried once in a new thread, unless it took too long. */
  async function runInThread(task: Task): Promise<unknown> {
    for (const retries of [1, 0]) {
      if (closed) break
      try {
        thread ??= startThread({ ...limits, main })
        return await thread.run(task)
      } catch (error) {
        if (!(error instanceof ThreadEnded)) throw error
        thread = null
        if (closed) break
        log('validation_thread.ended', { err: error, task: task.kind })
        if (error.late || retries === 0)
          throw new AppError('SERVICE_UNAVAILABLE', {
            message: tooMuch,
            retryAfterSeconds: 1,
            reason: 'the thread for JSON Schema ended',
          })
      }
    }
    throw unavailable('the thread for JSON Schema ends')
  }

  return {
    run(accountId, task) {
      const job: Job = { ...Promise.withResolvers<unknown>(), task, startBy: performance.now() + limits.waitMs }
      if (closed || !queue.add(accountId, job, charactersOf(task)))
        return Promise.reject(unavailable('too many validations by JSON Schema are waiting'))
      void drain()
      return job.promise
    },
    waiting: queue.waiting,
    async close() {
      closed = true
      await thread?.end()
    },
  }
}

async function serve(job: Job, run: (task: Task) => Promise<unknown>): Promise<void> {
  if (performance.now() > job.startBy) return job.reject(unavailable('a validation by JSON Schema waited too long'))
  try {
    job.resolve(await run(job.task))
  } catch (error) {
    job.reject(error)
  }
}

/** The size of a waiting task, in characters, without the schema of a list, which is in memory anyway. */
function charactersOf(task: Task): number {
  if (task.kind === 'validate') return task.data.length
  if (task.kind === 'flow') return task.document.length + (task.tests?.length ?? 0)
  return task.schemas.reduce((sum, { text }) => sum + text.length, 0)
}

const tooMuch =
  'Validation by the JSON Schema took too much time or memory; try again, or reduce the schema or the data.'
