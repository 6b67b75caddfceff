import type { BackgroundValidator } from '#services/gateway/validation/background-validator.ts'
import type { Exclusive } from '#shared/admission/exclusive.ts'
import type { Config } from '#shared/config/load.ts'
import type { Database } from '#shared/data/database.ts'
import type { Announce } from '#shared/data/events/committed.ts'

/** The dependencies of the handlers of flow definitions. */
export type FlowDefinitionDeps = {
  config: Config
  db: Database
  announce: Announce
  backgroundValidator: BackgroundValidator
  /** Changes of one flow wait for each other, so that none starves. */
  exclusive: Exclusive
  /** Epoch milliseconds. */
  now(): number
  newId(): string
}
