import type { ListdError } from '#client/src/error.ts'
import { secondsToWait, toListdError } from './errors.ts'

/** Data that a page has read. During the next read, `data` stay. */
export type Resource<T> = {
  data: T | undefined
  /** Why the last read failed. */
  error: ListdError | undefined
  /** Whether `data` were read for another key, such as another filter. */
  isOld: boolean
  reload(): void
}

export type ResourceOptions<T> = {
  /** Milliseconds until the next read, while something is in progress; null: no further read. */
  everyMs?: (data: T) => number | null
  /** It is not read again when the user returns to the tab, so that nothing moves while it is used. */
  stays?: boolean
  /** Whether the data may be kept for when the page is opened again. Long data should not be. */
  keeps?: (data: T) => boolean
}

/** The last data by key, so that a page shows something at once when it is opened again. */
const kept = new Map<string, unknown>()
const mostKept = 50

const readers = new Set<Reader<unknown>>()

/**
 * Call after a write: every resource whose key has this prefix is read again. A read that is running is aborted, because it may have
 * the state before the write. Settles when all reads have ended, also if some failed.
 */
export async function refresh(prefix: string): Promise<void> {
  await Promise.all(readersOf(prefix).map((reader) => reader.read(reader.key)))
}

/**
 * Call after a change by others: every resource whose key has this prefix is read again. A read that is running is completed first and its
 * data are shown, so that the page makes progress even with many changes in a row.
 */
export function refreshInTurn(prefix: string): void {
  for (const reader of readersOf(prefix)) reader.readInTurn()
}

function readersOf(prefix: string): Reader<unknown>[] {
  for (const key of kept.keys()) if (key.startsWith(prefix)) kept.delete(key)
  return [...readers].filter(({ key }) => key?.startsWith(prefix))
}

/** Reads a resource repeatedly under a key. `useResource` renders it. */
export class Reader<T> {
  load!: (signal: AbortSignal) => Promise<T>
  options: ResourceOptions<T> = {}
  key: string | null = null
  #data: T | undefined
  #dataKey: string | null = null
  #error: ListdError | undefined
  #ending: AbortController | null = null
  /** Whether something changed after the running read started. */
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
    // The async function turns an error thrown before the request into a rejection.
    const load = async () => this.load(ending.signal)
    await load().then(
      (data) => this.#end(ending, () => this.#take(key, data)),
      (error) => this.#end(ending, () => this.#fail(error)),
    )
  }

  /** Reads now, or when the running read has ended. */
  readInTurn(): void {
    if (this.#ending) this.#isDue = true
    else void this.read(this.key)
  }

  /** Starts to read again after `refresh` and when the user returns to the tab, until the returned function is called. */
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
    // After an error for which waiting helps, the next read is already scheduled.
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
