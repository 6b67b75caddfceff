import type { EventDeps } from '../events/context.ts'

/** What the handlers of stats depend on. */
export type StatsDeps = EventDeps & {
  /** Epoch milliseconds. */
  now(): number
}
