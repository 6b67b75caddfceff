import { AppError } from '#shared/errors.ts'
import type { ListCache, ListConfig } from './list-cache.ts'

/** Returned by `work` when the list it got turns out to be stale. */
export const listChanged = Symbol('list changed')

/** Beyond this many concurrent changes of the list the request gives up. */
const maxAttempts = 10

/**
 * Runs `work` with the settings of a list, which may be cached: again when `work` finds them stale, or when it throws a
 * client error and they were stale. So no response is based on settings from before the request.
 * @param work gets null when the account has no such list
 * @throws what `work` throws; SERVICE_UNAVAILABLE when the list keeps changing
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
      if (!config || !isClientError(error) || (await lists.isCurrent(accountId, ref, config))) throw error
    }
    if (config) lists.drop(accountId, ref, config)
  }
  throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
}

function isClientError(error: unknown): boolean {
  return error instanceof AppError && error.status < 500
}
