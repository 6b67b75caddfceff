import type { Database } from '#shared/data/database.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { SchemaValidator } from '../../validation/schema-validator.ts'

/** What the handlers of schema sync depend on. */
export type SchemaSyncDeps = {
  log: Logger
  db: Database
  /** Epoch milliseconds. */
  now(): number
  newId(): string
  schemas: SchemaValidator
}
