import { Worker } from 'node:worker_threads'
import type { Message, Task, ValidateTask } from './messages.ts'

export type ThreadOptions = {
  /** The program that runs there. */
  main: URL
  /** Its heap; past it the thread ends. */
  memoryMib: number
  /** How long one answer may take; then the thread is ended. */
  answerMs: number
  /** Compiled schemas that it keeps, and characters of their texts. */
  schemas: { count: number; characters: number }
}

/** A thread that answers one task at a time. */
export type Thread = {
  /** @throws ThreadEnded when it ended before it answered; it is of no use then */
  run(task: Task): Promise<unknown>
  end(): Promise<void>
}

/** Why a thread did not answer. */
export class ThreadEnded extends Error {
  /** Whether it was ended because its answer took too long. */
  readonly late: boolean
  constructor(late: boolean, cause?: unknown) {
    super(late ? 'the validation thread did not answer in time' : 'the validation thread ended', { cause })
    this.late = late
  }
}

/** What comes out of it at once must fit in the little that is left at the limit, or the process would end with the thread. */
const youngMib = 8

/** Starts a thread. It keeps no process from ending, and learns nothing of the environment. */
export function startThread(options: ThreadOptions): Thread {
  const { main, memoryMib, answerMs } = options
  const resourceLimits = { maxOldGenerationSizeMb: memoryMib, maxYoungGenerationSizeMb: youngMib }
  const worker = new Worker(main, { env: {}, resourceLimits })
  worker.unref()
  const messageFor = numberSchemas(options.schemas)
  let asked: PromiseWithResolvers<unknown> | null = null
  let cause: unknown
  let ended = false
  worker.on('message', (answer) => asked?.resolve(answer))
  worker.on('error', (error) => {
    cause = error
  })
  worker.on('exit', () => {
    ended = true
    asked?.reject(new ThreadEnded(false, cause))
  })

  return {
    async run(task) {
      if (ended) throw new ThreadEnded(false, cause)
      asked = Promise.withResolvers()
      const { promise, reject } = asked
      const timer = setTimeout(() => {
        reject(new ThreadEnded(true))
        void worker.terminate()
      }, answerMs)
      worker.postMessage(task.kind === 'validate' ? messageFor(task) : task)
      try {
        return await promise
      } finally {
        clearTimeout(timer)
      }
    },
    async end() {
      await worker.terminate()
    },
  }
}

/** Gives each schema a number, and forgets the one longest unused where there are too many. */
function numberSchemas(bounds: ThreadOptions['schemas']): (task: ValidateTask) => Message {
  const numbers = new Map<string, number>()
  let last = 0
  let characters = 0

  function forgetOldest(): number[] {
    const forgotten: number[] = []
    for (const [text, number] of numbers) {
      if (numbers.size <= 1 || (numbers.size <= bounds.count && characters <= bounds.characters)) break
      numbers.delete(text)
      characters -= text.length
      forgotten.push(number)
    }
    return forgotten
  }

  return ({ kind, schema: text, data }) => {
    const known = numbers.get(text)
    const schema = known ?? ++last
    numbers.delete(text)
    numbers.set(text, schema)
    if (known !== undefined) return { kind, schema, text: null, data, forget: [] }
    characters += text.length
    return { kind, schema, text, data, forget: forgetOldest() }
  }
}
