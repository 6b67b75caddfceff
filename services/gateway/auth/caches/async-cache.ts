import { AppError } from '#shared/errors.ts'

/** Remembers what was found for a short while, and who was not found not at all: made-up keys must not push others out. */
export type AsyncCache<T> = {
  /** @throws SERVICE_UNAVAILABLE when too many look-ups are under way */
  get(key: string): Promise<T | null>
  /** Drops what is known of a key; a look-up under way is not remembered. */
  invalidate(key: string): void
  /** Drops every value like this; no look-up under way is remembered. */
  invalidateWhere(matches: (value: T) => boolean): void
}

export type AsyncCacheLimits = {
  keepMs: number
  maxEntries: number
  /** Look-ups under way at once. */
  maxLookUps: number
}

type Entry<T> = { value: T; until: number }
type LookUp<T> = { found: Promise<T | null> }

/**
 * @param options.find asked once for all who wait for the same key
 * @param options.now a clock in milliseconds that nobody sets
 */
export function createAsyncCache<T>(
  options: { find(key: string): Promise<T | null>; now?(): number } & AsyncCacheLimits,
): AsyncCache<T> {
  const { find, now = elapsed, keepMs, maxEntries, maxLookUps } = options
  // In the order of use: the first is the one used longest ago.
  const entries = new Map<string, Entry<T>>()
  const lookUps = new Map<string, LookUp<T>>()
  let underWay = 0

  function remember(key: string, entry: Entry<T>): void {
    entries.delete(key)
    entries.set(key, entry)
    const [oldest] = entries.keys()
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
  }

  async function lookUp(key: string, started: LookUp<T>, until: number): Promise<T | null> {
    underWay++
    try {
      const value = await find(key)
      // Forgotten meanwhile: what was read may be older than the change that was announced.
      if (value !== null && lookUps.get(key) === started) remember(key, { value, until })
      return value
    } finally {
      underWay--
      if (lookUps.get(key) === started) lookUps.delete(key)
    }
  }

  function start(key: string, until: number): Promise<T | null> {
    if (underWay >= maxLookUps) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
    const started: LookUp<T> = { found: Promise.resolve(null) }
    lookUps.set(key, started)
    started.found = lookUp(key, started, until)
    return started.found
  }

  return {
    async get(key) {
      const present = now()
      const entry = entries.get(key)
      if (entry && entry.until > present) {
        remember(key, entry)
        return entry.value
      }
      return lookUps.get(key)?.found ?? start(key, present + keepMs)
    },
    invalidate(key) {
      entries.delete(key)
      lookUps.delete(key)
    },
    invalidateWhere(matches) {
      lookUps.clear()
      for (const [key, { value }] of entries) if (matches(value)) entries.delete(key)
    },
  }
}

const elapsed = () => performance.now()
