import { LRUCache } from 'lru-cache'
import type { Registry } from 'prom-client'
import type { Database } from '#shared/data/database.ts'
import { readWebhookTotals, type WebhookTotals } from '#shared/data/dispatch/webhook-totals.ts'
import type { AttemptOutcome } from '#shared/domain/webhook/deliveries/delivery.ts'
import type { Measured } from '#shared/ops/ops.ts'

export type Metrics = {
  registry: Registry | null
  /** Counts events that webhooks have missed. */
  missed(count: number): void
  attempt(outcome: Pick<AttemptOutcome, 'status' | 'error' | 'durationMs'>): void
}

/** Counts attempts by outcome and duration; the library is not loaded while the ops port is off. */
export async function createMetrics(opsPort: number): Promise<Metrics> {
  if (opsPort === 0) return { registry: null, missed() {}, attempt() {} }
  const { Counter, Histogram, Registry } = await import('#shared/ops/prometheus.ts')
  const registry = new Registry()
  const registers = [registry]
  const attempts = new Counter({
    name: 'listd_delivery_attempts_total',
    help: 'Attempts by outcome',
    labelNames: ['outcome'],
    registers,
  })
  const duration = new Histogram({
    name: 'listd_delivery_attempt_seconds',
    help: 'Time of one attempt',
    registers,
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
  })
  const missed = new Counter({
    name: 'listd_webhook_events_missed_total',
    registers,
    help: 'Events that webhooks missed because too many were held for them, or for too long',
  })
  return {
    registry,
    missed: (count) => missed.inc(count),
    attempt({ status, error, durationMs }) {
      attempts.inc({ outcome: error ?? `${Math.floor((status ?? 0) / 100)}xx` })
      duration.observe(durationMs / 1000)
    },
  }
}

/** How old the values of all webhooks may be: they are not read more often, however often metrics are collected. */
const totalsKeptMs = 15_000

/**
 * Values of the whole installation, which each dispatcher reads from the database: with several dispatchers, use the maximum, not the sum.
 * @param options.maxWaiting the most deliveries that may wait for one webhook
 * @param options.maxHeld the most events that may be held for one
 */
export function measureWebhooks(
  db: Pick<Database, 'long'>,
  { maxWaiting, maxHeld }: { maxWaiting: number; maxHeld: number },
): Measured {
  const kept = new LRUCache<'totals', WebhookTotals>({
    max: 1,
    ttl: totalsKeptMs,
    fetchMethod: () => readWebhookTotals(db),
  })
  const value = (help: string, of: (totals: WebhookTotals) => number) => ({
    help,
    read: async () => of(await kept.forceFetch('totals')),
  })
  return {
    listd_webhooks_failing: value('Active webhooks whose last delivery failed for good', ({ failing }) => failing),
    listd_webhooks_disabled: value('Webhooks that too many failures have disabled', ({ disabled }) => disabled),
    listd_webhook_deliveries_waiting: value('Deliveries that wait', ({ waiting }) => waiting),
    listd_webhooks_behind: value('Webhooks for which events are held', ({ behind }) => behind),
    listd_webhook_events_held: value('Events that are held for webhooks', ({ held }) => held),
    listd_webhook_event_held_seconds: value(
      'How long the oldest held event has been held',
      ({ heldMs }) => heldMs / 1_000,
    ),
    listd_webhook_held_ratio: value(
      'The most events held for one active webhook, as a fraction of the limit',
      ({ mostHeld }) => (maxHeld === 0 ? 0 : mostHeld / maxHeld),
    ),
    listd_webhook_delivery_overdue_seconds: value(
      'How long the most overdue delivery has been due',
      ({ overdueMs }) => overdueMs / 1_000,
    ),
    listd_webhook_backlog_ratio: value(
      'The most deliveries waiting for one active webhook, as a fraction of the limit',
      ({ mostWaiting }) => mostWaiting / maxWaiting,
    ),
  }
}
