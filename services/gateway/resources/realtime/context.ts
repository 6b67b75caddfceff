import type { Config } from '#shared/config/load.ts'
import type { Database } from '#shared/data/database.ts'
import type { ItemReader } from '#shared/data/items/item-reader.ts'
import type { Authenticator } from '../../auth/authenticator.ts'
import type { ListCache } from '../lists/list-cache.ts'
import type { CurrentLists } from './current-lists.ts'
import type { HintHub } from './hint-hub.ts'
import type { Hub } from './hub.ts'
import type { StreamCounts } from './stream-counts.ts'
import type { StreamPace } from './stream-pace.ts'

/** The dependencies of streams. */
export type RealtimeDeps = {
  config: Config
  db: Database
  readItem: ItemReader
  lists: ListCache
  currentLists: CurrentLists
  auth: Authenticator
  hub: Hub
  hintHub: HintHub
  streamCounts: StreamCounts
  streamPace: StreamPace
}
