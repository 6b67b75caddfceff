import type { Listeners } from '#shared/data/dispatch/listeners.ts'
import type { OutboxSelection } from '#shared/data/dispatch/outbox.ts'
import type { Settlement, SettleRules } from '#shared/data/dispatch/settlements.ts'
import type { Lane } from '#shared/domain/webhook/queue.ts'

/** What one cycle of the dispatcher is to do. */
export type CycleWork = {
  settlements: readonly Settlement[]
  /** Outbox rows to fan out; null: none. */
  outbox: OutboxSelection | null
  /** Free slots per lane; zeros while draining. */
  slots: Record<Lane, number>
  /**
   * Whether to look for webhooks that are due, and claim them in the order of their due times. Otherwise those are claimed that
   * events of this cycle find free, and it looks only if it leaves others with deliveries that wait.
   */
  look: boolean
  /** Whether others change the same queues at the same time, so that only their locks help. */
  contended?: boolean
}

export type CycleRules = SettleRules & { maxWaiting: number; listeners: Listeners }
