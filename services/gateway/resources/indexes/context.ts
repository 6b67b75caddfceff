import type { Bus } from '#shared/bus/bus.ts'
import type { Database } from '#shared/data/database.ts'
import type { Announce } from '#shared/data/events/committed.ts'

/** The dependencies of the handlers of indexes. */
export type IndexDeps = {
  db: Database
  announce: Announce
  bus: Pick<Bus, 'broadcast'>
  /** Epoch milliseconds. */
  now(): number
  newId(): string
}
