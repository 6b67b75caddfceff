import type { ListdError } from '#client/src/error.ts'
import { secondsToWait, toListdError } from './errors.ts'

/** What a page has read. `data` are the last ones while newer are on their way. */
export type Resource<T> = {
  data: T | undefined
  /** Why the last read failed. */
  error: ListdError | undefined
  /** Whether `data` were read for another key, such as another filter. */
  isOld: boolean
  reload(): void
}

export type ResourceOptions<T> = {
  /** Reads again after so many milliseconds, while something is in progress; null: not. */
  everyMs?: (data: T) => number | null
  /** Is not read again when the reader comes back to the tab: nothing may move under the hand. */
  stays?: boolean
  /** Whether the answer may be kept for a page that is opened again: not one that is long. */
  keeps?: (data: T) => boolean
}

/** The last answers, so that a page which is opened again shows something at once. */
const kept = new Map<string, unknown>()
const mostKept = 50

const readers = new Set<Reader<unknown>>()

/**
 * After a write: every page that shows something whose key begins so reads it again. What it is just reading is from before the
 * write and is not shown. Settles when all have read, whatever came of it.
 */
export async function refresh(prefix: string): Promise<void> {
  await Promise.all(readersOf(prefix).map((reader) => reader.read(reader.key)))
}

/**
 * After a change by others, of which there may be many in a row: a page that is just reading shows that and reads once more, so
 * that it moves however fast the changes come.
 */
export function refreshInTurn(prefix: string): void {
  for (const reader of readersOf(prefix)) reader.readInTurn()
}

function readersOf(prefix: string): Reader<unknown>[] {
  for (const key of kept.keys()) if (key.startsWith(prefix)) kept.delete(key)
  return [...readers].filter(({ key }) => key?.startsWith(prefix))
}

/** What a page reads under a key, again and again. `useResource` draws it. */
export class Reader<T> {
  load!: (signal: AbortSignal) => Promise<T>
  options: ResourceOptions<T> = {}
  key: string | null = null
  #data: T | undefined
  #dataKey: string | null = null
  #error: ListdError | undefined
  #ending: AbortController | null = null
  /** Whether something changed since the read that runs began. */
  #isDue = false
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #redraw: () => void

  constructor(redraw: () => void) {
    this.#redraw = redraw
  }

  resourceOf(key: string | null): Resource<T> {
    if (key !== null && key !== this.#dataKey && kept.has(key)) {
      this.#data = kept.get(key) as T
      this.#dataKey = key
    }
    return {
      data: this.#data,
      error: key === this.key ? this.#error : undefined,
      isOld: this.#dataKey !== key,
      reload: () => void this.read(key),
    }
  }

  async read(key: string | null): Promise<void> {
    this.#stop()
    this.key = key
    if (key === null) return
    const ending = new AbortController()
    this.#ending = ending
    this.#redraw()
    // An error before anything is sent is reported like a later one.
    const load = async () => this.load(ending.signal)
    await load().then(
      (data) => this.#end(ending, () => this.#take(key, data)),
      (error) => this.#end(ending, () => this.#fail(error)),
    )
  }

  /** Reads now, or when the read that runs has ended. */
  readInTurn(): void {
    if (this.#ending) this.#isDue = true
    else void this.read(this.key)
  }

  /** From now on `refresh` and a return to the tab read again, until the returned function is called. */
  attach(): () => void {
    const reader = this as Reader<unknown>
    const onReturn = () => {
      if (document.visibilityState === 'visible' && !this.#ending && !this.options.stays) this.read(this.key)
    }
    readers.add(reader)
    document.addEventListener('visibilitychange', onReturn)
    return () => {
      readers.delete(reader)
      document.removeEventListener('visibilitychange', onReturn)
      this.#stop()
    }
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#ending?.abort()
    this.#ending = null
    this.#isDue = false
  }

  #end(ending: AbortController, settle: () => void): void {
    if (this.#ending !== ending) return
    this.#ending = null
    settle()
    this.#redraw()
    // After an error that time mends, the next read has its time already.
    if (this.#isDue && !(this.#error && secondsToWait(this.#error))) void this.read(this.key)
  }

  #take(key: string, data: T): void {
    this.#data = data
    this.#dataKey = key
    this.#error = undefined
    kept.delete(key)
    if (this.options.keeps?.(data) !== false) kept.set(key, data)
    for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - mostKept))) kept.delete(oldest)
    this.#readIn(this.options.everyMs?.(data) ?? null)
  }

  #fail(error: unknown): void {
    this.#error = toListdError(error)
    const seconds = secondsToWait(this.#error)
    this.#readIn(seconds && seconds * 1000)
  }

  #readIn(waitMs: number | null): void {
    if (waitMs !== null) this.#timer = setTimeout(() => this.read(this.key), waitMs)
  }
}
