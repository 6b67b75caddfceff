import type { Config } from '#shared/config/load.ts'
import type { Database } from '#shared/data/database.ts'
import type { Committer } from '#shared/data/items/commit.ts'
import type { ItemReader } from '#shared/data/items/item-reader.ts'
import type { ListCache } from '../lists/list-cache.ts'

/** What the handlers of items depend on. */
export type ItemDeps = {
  config: Config
  db: Database
  committer: Committer
  readItem: ItemReader
  /** Epoch milliseconds. */
  now(): number
  newId(): string
  lists: ListCache
}
