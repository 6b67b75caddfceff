import type { Config } from '#shared/config/load.ts'
import type { Database } from '#shared/data/database.ts'
import type { Exclusive } from '../../admission/exclusive.ts'
import type { BackgroundValidator } from '../../validation/background-validator.ts'

/** What the handlers of flow definitions depend on. */
export type FlowDefinitionDeps = {
  config: Config
  db: Database
  backgroundValidator: BackgroundValidator
  /** Changes of one flow wait for each other, so that none starves. */
  exclusive: Exclusive
  /** Epoch milliseconds. */
  now(): number
  newId(): string
}
