import type { Config } from '#shared/config/load.ts'
import type { Database } from '#shared/data/database.ts'
import type { Committer } from '#shared/data/items/commit.ts'
import type { ItemReader } from '#shared/data/items/item-reader.ts'
import type { Item } from '#shared/domain/item/item.ts'
import type { KeyedMutex } from '../../admission/keyed-mutex.ts'
import type { ListCache, ListConfig } from '../lists/list-cache.ts'

/** What the handlers of items depend on. */
export type ItemDeps = {
  config: Config
  db: Database
  committer: Committer
  readItem: ItemReader
  /** Serializes the changes of one item, and the requests with one idempotency key, so that none starves. */
  itemMutex: KeyedMutex
  /** Epoch milliseconds. */
  now(): number
  newId(): string
  lists: ListCache
}

/** A written or read item, and the list's settings for its response. */
export type ItemResult = { item: Item; config: ListConfig }
