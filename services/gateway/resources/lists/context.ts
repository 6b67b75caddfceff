import type { Database } from '#shared/data/database.ts'
import type { Announce } from '#shared/data/events/committed.ts'
import type { SchemaValidator } from '../../validation/schema-validator.ts'

/** What the handlers of lists depend on. */
export type ListDeps = {
  db: Database
  announce: Announce
  /** Epoch milliseconds. */
  now(): number
  newId(): string
  schemas: SchemaValidator
}
