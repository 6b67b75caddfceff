import type { EventDeps } from '../events/context.ts'

/** The dependencies of the handlers of stats. */
export type StatsDeps = EventDeps & {
  /** Epoch milliseconds. */
  now(): number
}
