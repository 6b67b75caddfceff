import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { withTimeLimit } from '#shared/time/time-limit.ts'
import type { Message, Task, ValidateTask } from './messages.ts'

export type ThreadOptions = {
  /** The program that runs in the thread. */
  main: URL
  /** The size of its heap; the thread ends when it needs more. */
  memoryMib: number
  /** How long one task may take, without the start of the thread; after that the thread is terminated. */
  taskMs: number
  /** The most compiled schemas that it caches, and characters of their texts. */
  schemas: { count: number; characters: number }
}

/** A thread that runs one task at a time. */
export type Thread = {
  /** @throws ThreadEnded when the thread ended before the task did; the thread cannot be used again */
  run(task: Task): Promise<unknown>
  end(): Promise<void>
}

/** The thread ended before its task. */
export class ThreadEnded extends Error {
  /** Whether it was ended because the task took too long. */
  readonly late: boolean
  constructor(late: boolean, cause?: unknown) {
    super(late ? 'the validation thread did not finish in time' : 'the validation thread ended', { cause })
    this.late = late
  }
}

/** Small: objects that are promoted at once must fit in the little heap that is left at the limit, or the whole process ends. */
const youngMib = 8

/** Starts a thread. It does not keep the process alive, and gets no environment variables. */
export function startThread(options: ThreadOptions): Thread {
  const { main, memoryMib, taskMs } = options
  const resourceLimits = { maxOldGenerationSizeMb: memoryMib, maxYoungGenerationSizeMb: youngMib }
  const worker = new Worker(main, { env: {}, resourceLimits })
  worker.unref()
  const messageFor = numberSchemas(options.schemas)
  let current: PromiseWithResolvers<unknown> | null = null
  let cause: unknown
  let ended = false
  const online = once(worker, 'online').catch(() => {}) // the `exit` handler reports errors
  worker.on('message', (answer) => current?.resolve(answer))
  worker.on('error', (error) => {
    cause = error
  })
  worker.on('exit', () => {
    ended = true
    current?.reject(new ThreadEnded(false, cause))
  })

  return {
    async run(task) {
      if (ended) throw new ThreadEnded(false, cause)
      current = Promise.withResolvers()
      worker.postMessage(task.kind === 'validate' ? messageFor(task) : task)
      await Promise.race([online, current.promise])
      return withTimeLimit(current.promise, taskMs, () => {
        void worker.terminate()
        throw new ThreadEnded(true)
      })
    },
    async end() {
      await worker.terminate()
    },
  }
}

/** Gives each schema a number, and drops the least recently used ones when there are too many. */
function numberSchemas({ count, characters }: ThreadOptions['schemas']): (task: ValidateTask) => Message {
  let forget: number[] = []
  let last = 0
  const numbers = new LRUCache<string, number>({
    max: count,
    maxSize: characters,
    sizeCalculation: (_number, text) => Math.min(text.length, characters), // the newest is kept, however long it is
    dispose: (number) => forget.push(number),
  })

  return ({ kind, schema: text, data }) => {
    const known = numbers.get(text)
    if (known !== undefined) return { kind, schema: known, text: null, data, forget: [] }
    forget = []
    numbers.set(text, ++last)
    return { kind, schema: last, text, data, forget }
  }
}
