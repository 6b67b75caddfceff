import type { Bus } from '#shared/bus/bus.ts'
import type { Sealer } from '#shared/crypto/seal.ts'
import type { Database } from '#shared/data/database.ts'
import type { Announce } from '#shared/data/events/committed.ts'
import type { Authenticator } from '../../auth/authenticator.ts'

/** The dependencies of the handlers of identities. */
export type IdentityDeps = {
  db: Database
  announce: Announce
  bus: Bus
  /** Epoch milliseconds. */
  now(): number
  newId(): string
  /** Seals the cursors of pages that may end on identities that the caller does not see. */
  sealer: Pick<Sealer, 'seal' | 'open'>
  auth: Authenticator
}
