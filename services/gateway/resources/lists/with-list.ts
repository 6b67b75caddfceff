import { Conflict, retryOnConflict } from '#shared/data/conflict.ts'
import { AppError } from '#shared/errors.ts'
import type { ListCache, ListConfig } from './list-cache.ts'

/**
 * Runs work with the settings of a list, which may be cached. If they turn out to be outdated, by a conflict or when the work
 * fails with an error for the client, the work runs again with the current ones: no answer is based on settings from before
 * the request. The work also runs again if a request with the same idempotency key was committed in the meantime.
 * @param work gets null when the account has no such list
 * @throws the errors of the work; SERVICE_UNAVAILABLE when the list keeps changing
 */
export function withList<T>(
  lists: ListCache,
  { accountId, ref }: { accountId: string; ref: string },
  work: (config: ListConfig | null) => Promise<T>,
): Promise<T> {
  return retryOnConflict(['list', 'key'], async () => {
    const config = await lists.get(accountId, ref)
    try {
      return await work(config)
    } catch (error) {
      if (!config || !(await isOutdated(error, () => lists.isCurrent(accountId, ref, config)))) throw error
      lists.drop(accountId, ref, config)
      throw new Conflict('list')
    }
  })
}

async function isOutdated(error: unknown, isCurrent: () => Promise<boolean>): Promise<boolean> {
  if (error instanceof Conflict) return error.on === 'list'
  return error instanceof AppError && error.status < 500 && !(await isCurrent())
}
