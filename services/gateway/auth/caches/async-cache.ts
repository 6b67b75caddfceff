import { createLruMap } from '#shared/admission/lru-map.ts'
import { unavailable } from '#shared/errors.ts'

/** Caches found values for a short time. Misses are not cached: invented keys must not evict others. */
export type AsyncCache<T> = {
  /** @throws SERVICE_UNAVAILABLE when too many look-ups are in flight */
  get(key: string): Promise<T | null>
  /** Drops a key; the result of a look-up in flight is not cached. */
  invalidate(key: string): void
  /** Drops every value that matches; no result of a look-up in flight is cached. */
  invalidateWhere(matches: (value: T) => boolean): void
}

export type AsyncCacheLimits = {
  keepMs: number
  maxEntries: number
  /** Look-ups in flight at once. */
  maxLookUps: number
}

type Entry<T> = { value: T; until: number }
type LookUp<T> = { found: Promise<T | null> }

/**
 * @param options.find called once for all requests that wait for the same key
 * @param options.now a monotonic clock in milliseconds
 */
export function createAsyncCache<T>(
  options: { find(key: string): Promise<T | null>; now?(): number } & AsyncCacheLimits,
): AsyncCache<T> {
  const { find, now = elapsed, keepMs, maxEntries, maxLookUps } = options
  const entries = createLruMap<Entry<T>>(maxEntries)
  const lookUps = new Map<string, LookUp<T>>()
  let inFlight = 0

  async function lookUp(key: string, started: LookUp<T>, until: number): Promise<T | null> {
    inFlight++
    try {
      const value = await find(key)
      // Not if it was invalidated in the meantime: the read may be older than the announced change.
      if (value !== null && lookUps.get(key) === started) entries.set(key, { value, until })
      return value
    } finally {
      inFlight--
      if (lookUps.get(key) === started) lookUps.delete(key)
    }
  }

  function start(key: string, until: number): Promise<T | null> {
    if (inFlight >= maxLookUps) throw unavailable('too many look-ups of credentials')
    const started: LookUp<T> = { found: Promise.resolve(null) }
    lookUps.set(key, started)
    started.found = lookUp(key, started, until)
    return started.found
  }

  return {
    async get(key) {
      const at = now()
      const entry = entries.get(key)
      if (entry && entry.until > at) return entry.value
      return lookUps.get(key)?.found ?? start(key, at + keepMs)
    },
    invalidate(key) {
      entries.delete(key)
      lookUps.delete(key)
    },
    invalidateWhere(matches) {
      lookUps.clear()
      // Copied, because its iteration does not survive deletions.
      for (const [key, { value }] of [...entries]) if (matches(value)) entries.delete(key)
    },
  }
}

const elapsed = () => performance.now()
