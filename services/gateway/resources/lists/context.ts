import type { Sealer } from '#shared/crypto/seal.ts'
import type { Database } from '#shared/data/database.ts'
import type { Announce } from '#shared/data/events/committed.ts'
import type { SchemaValidator } from '../../validation/schema-validator.ts'

/** The dependencies of the handlers of lists. */
export type ListDeps = {
  db: Database
  announce: Announce
  /** Epoch milliseconds. */
  now(): number
  newId(): string
  /** Seals the cursors of pages that may end on lists that the caller does not see. */
  sealer: Pick<Sealer, 'seal' | 'open'>
  schemas: SchemaValidator
}
