import type { Bus } from '#shared/bus/bus.ts'
import type { Database } from '#shared/data/database.ts'
import type { Announce } from '#shared/data/events/committed.ts'
import type { Authenticator } from '../../auth/authenticator.ts'

/** The dependencies of the handlers of groups. */
export type GroupDeps = {
  db: Database
  announce: Announce
  bus: Bus
  newId(): string
  auth: Authenticator
}
