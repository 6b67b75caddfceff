import type { Client } from '#client/src/client.ts'
import { ListdError } from '#client/src/error.ts'
import type { SyncDocument } from '#client/src/types/sync-resources.ts'

export type CreateOutcome = 'created' | 'taken'

/**
 * Creates the list of a document with all its indexes, or nothing.
 * @param mayExist an earlier try got no response: a list that is exactly like the document was created by it
 * @returns `taken`: another list has this path name; it is not changed
 * @throws ListdError
 */
export async function createList(
  { sync }: Pick<Client, 'sync'>,
  document: SyncDocument,
  { mayExist = false }: { mayExist?: boolean } = {},
): Promise<CreateOutcome> {
  // A sync would change an existing list. The plan shows whether there is one, and its hash makes sure that this is still so.
  const { changes, planHash } = await sync.plan(document)
  if (mayExist && changes.every(({ action }) => action === 'no-change')) return 'created'
  if (changes.some(({ action }) => action !== 'create')) return 'taken'
  try {
    await sync.apply(document, { planHash })
    return 'created'
  } catch (error) {
    if (error instanceof ListdError && error.name === 'SCHEMA_SYNC_PLAN_CHANGED') return 'taken'
    throw error
  }
}

/** Whether a call that failed may have been performed all the same. */
export const mayBeDone = ({ name, status }: ListdError) =>
  name === 'CONNECTION_FAILED' || name === 'TIMED_OUT' || status >= 500
