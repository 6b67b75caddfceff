import type { Database, Transaction } from '../database.ts'
import type { Announce } from '../events/committed.ts'
import { announcing, insertEvents, type LoggedEvent } from '../events/events.ts'

/** The database and announcer for changes of lists and indexes. */
export type ListStore = { db: Database; announce: Announce }

/** Writes a change of a list or an index with its entry in the event log, all or nothing, and announces it after the commit. */
export async function commitListChange(
  store: ListStore,
  event: LoggedEvent,
  write: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await announcing(store).transaction(async (tx) => {
    await write(tx)
    await insertEvents(tx, [event])
  })
}
