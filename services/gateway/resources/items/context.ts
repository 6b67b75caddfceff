import type { Exclusive } from '#shared/admission/exclusive.ts'
import type { Config } from '#shared/config/load.ts'
import type { Sealer } from '#shared/crypto/seal.ts'
import type { Database } from '#shared/data/database.ts'
import type { Committer } from '#shared/data/items/commit/commit.ts'
import type { ItemReader } from '#shared/data/items/item-reader.ts'
import type { Item } from '#shared/domain/item/item.ts'
import type { ListCache, ListConfig } from '../lists/list-cache.ts'

/** The dependencies of the handlers of items. */
export type ItemDeps = {
  config: Config
  db: Database
  committer: Committer
  readItem: ItemReader
  /** Changes of one item, and requests with one idempotency key, wait for each other, so that none starves. */
  exclusive: Exclusive
  /** Seals the cursors of pages that may end on items that the caller does not see. */
  sealer: Pick<Sealer, 'seal' | 'open'>
  /** Epoch milliseconds. */
  now(): number
  newId(): string
  lists: ListCache
}

/** A written or read item, and the list's settings for its response. */
export type ItemResult = {
  item: Item
  config: ListConfig
  /** Whether the principal that wrote it may not view its current state: the answer then omits the data. */
  dataHidden?: boolean
}
