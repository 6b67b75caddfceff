import { useEffect, useReducer, useRef } from 'preact/hooks'
import { ListdError } from '#client/src/error.ts'

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

const readers = new Set<(prefix: string) => Promise<void> | undefined>()

/** After a write: every page that shows something whose key begins so reads it again. Settles when all have, whatever came of it. */
export async function refresh(prefix: string): Promise<void> {
  for (const key of kept.keys()) if (key.startsWith(prefix)) kept.delete(key)
  await Promise.all([...readers].map((reader) => reader(prefix)))
}

/**
 * Reads something for a page, again when the key changes, when the reader comes back to the tab, and after `refresh`.
 * @param key what is read, in a few words: `lists`, `items recipes ?after=…`; null: nothing yet
 */
export function useResource<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  options: ResourceOptions<T> = {},
): Resource<T> {
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  const reader = useRef<Reader<T>>(null)
  reader.current ??= new Reader<T>(() => redraw(0))
  const current = reader.current
  current.load = load
  current.options = options
  useEffect(() => void current.read(key), [key])
  useEffect(() => current.attach(), [])
  return current.resourceOf(key)
}

class Reader<T> {
  load!: (signal: AbortSignal) => Promise<T>
  options: ResourceOptions<T> = {}
  #key: string | null = null
  #data: T | undefined
  #dataKey: string | null = null
  #error: ListdError | undefined
  #ending: AbortController | null = null
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
      error: key === this.#key ? this.#error : undefined,
      isOld: this.#dataKey !== key,
      reload: () => void this.read(key),
    }
  }

  async read(key: string | null): Promise<void> {
    this.#stop()
    this.#key = key
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

  attach(): () => void {
    const onRefresh = (prefix: string) => {
      return this.#key?.startsWith(prefix) ? this.read(this.#key) : undefined
    }
    const onReturn = () => {
      if (document.visibilityState === 'visible' && !this.#ending && !this.options.stays) this.read(this.#key)
    }
    readers.add(onRefresh)
    document.addEventListener('visibilitychange', onReturn)
    return () => {
      readers.delete(onRefresh)
      document.removeEventListener('visibilitychange', onReturn)
      this.#stop()
    }
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#ending?.abort()
    this.#ending = null
  }

  #end(ending: AbortController, settle: () => void): void {
    if (this.#ending !== ending) return
    this.#ending = null
    settle()
    this.#redraw()
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
    if (waitMs !== null) this.#timer = setTimeout(() => this.read(this.#key), waitMs)
  }
}

/** After how many seconds the server may answer again; null: time alone does not help. */
export function secondsToWait({ name, status, retryAfterSeconds }: ListdError): number | null {
  return status === 429 || status === 503 || name === 'INDEX_BUILDING' ? (retryAfterSeconds ?? 5) : null
}

/** The sentence of a page for any failure; an unexpected one is reported with its message. */
export function toListdError(error: unknown): ListdError {
  if (error instanceof ListdError) return error
  return new ListdError({ name: 'UNEXPECTED_ANSWER', message: String(error), cause: error })
}
