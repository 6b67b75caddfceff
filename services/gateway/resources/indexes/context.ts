import type { Bus } from '#shared/bus/bus.ts'
import type { Database } from '#shared/data/database.ts'

/** What the handlers of indexes depend on. */
export type IndexDeps = {
  db: Database
  bus: Pick<Bus, 'broadcast'>
  /** Epoch milliseconds. */
  now(): number
  newId(): string
}
