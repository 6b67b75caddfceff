import type { Database } from '#shared/data/database.ts'
import type { ItemReader } from '#shared/data/items/item-reader.ts'
import type { ListCache } from '../lists/list-cache.ts'

/** The dependencies of the handlers of events. */
export type EventDeps = {
  db: Database
  readItem: ItemReader
  lists: ListCache
}
