import type { Client } from '#client/src/client.ts'
import { ListdError } from '#client/src/error.ts'
import type { SyncDocument } from '#client/src/types/sync-resources.ts'

export type CreateOutcome = 'created' | 'taken'

/**
 * Makes the list of a document with all its indexes, or nothing.
 * @param mayExist an earlier try had no answer: a list that is exactly like the document is its work
 * @returns `taken`: there is a list with this path name, which stays as it is
 * @throws ListdError
 */
export async function createList(
  { sync }: Pick<Client, 'sync'>,
  document: SyncDocument,
  { mayExist = false }: { mayExist?: boolean } = {},
): Promise<CreateOutcome> {
  // A sync changes a list that is there already. The plan tells, and its hash keeps another from coming in between.
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

/** Whether a failed call may have done its work all the same. */
export const mayBeDone = ({ name, status }: ListdError) =>
  name === 'CONNECTION_FAILED' || name === 'TIMED_OUT' || status >= 500
