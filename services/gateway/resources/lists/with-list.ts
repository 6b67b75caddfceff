import { AppError } from '#shared/errors.ts'
import type { ListCache, ListConfig } from './list-cache.ts'

/** What work answers when the list it was given turns out to be old. */
export const listChanged = Symbol('list changed')

/** A list whose settings change faster than this many requests can follow. */
const maxAttempts = 10

/**
 * Does something by the settings of a list, which may come from memory: again when the work finds them old, and again
 * when it refuses and they were. So an answer never rests on settings from before the request.
 * @param work gets null when the account has no such list
 * @throws what the work throws; SERVICE_UNAVAILABLE when the list does not stand still
 */
export async function withList<T>(
  lists: ListCache,
  { accountId, ref }: { accountId: string; ref: string },
  work: (config: ListConfig | null) => Promise<T | typeof listChanged>,
): Promise<T> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const config = await lists.get(accountId, ref)
    try {
      const result = await work(config)
      if (result !== listChanged) return result
    } catch (error) {
      if (!config || !isRefusal(error) || (await lists.isCurrent(accountId, ref, config))) throw error
    }
    if (config) lists.drop(accountId, ref, config)
  }
  throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && error.status < 500
}
