import type { Config } from '#shared/config/load.ts'
import type { Database } from '#shared/data/database.ts'
import type { BackgroundValidator } from '../../validation/background-validator.ts'

/** What the handlers of flow definitions depend on. */
export type FlowDefinitionDeps = {
  config: Config
  db: Database
  backgroundValidator: BackgroundValidator
  /** Epoch milliseconds. */
  now(): number
  newId(): string
}
