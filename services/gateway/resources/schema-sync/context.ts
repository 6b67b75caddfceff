import type { Exclusive } from '#shared/admission/exclusive.ts'
import type { Bus } from '#shared/bus/bus.ts'
import type { Database } from '#shared/data/database.ts'
import type { Announce } from '#shared/data/events/committed.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { SchemaValidator } from '../../validation/schema-validator.ts'

/** The dependencies of the handlers of schema sync. */
export type SchemaSyncDeps = {
  log: Logger
  db: Database
  announce: Announce
  bus: Pick<Bus, 'broadcast'>
  /** Epoch milliseconds. */
  now(): number
  newId(): string
  schemas: SchemaValidator
  exclusive: Exclusive
}
