import type { Registry } from 'prom-client'
import type { AttemptOutcome } from '#shared/domain/webhook/delivery.ts'

export type Metrics = {
  registry: Registry | null
  attempt(outcome: Pick<AttemptOutcome, 'status' | 'error' | 'durationMs'>): void
}

/** Counts attempts by outcome and duration; the library is not loaded while the ops port is off. */
export async function createMetrics(opsPort: number): Promise<Metrics> {
  if (opsPort === 0) return { registry: null, attempt() {} }
  const { Counter, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  const attempts = new Counter({
    ...{ name: 'listd_delivery_attempts_total', help: 'Attempts by outcome', labelNames: ['outcome'], registers },
  })
  const duration = new Histogram({
    ...{ name: 'listd_delivery_attempt_seconds', help: 'Time of one attempt', registers },
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
  })
  return {
    registry,
    attempt({ status, error, durationMs }) {
      attempts.inc({ outcome: error ?? `${Math.floor((status ?? 0) / 100)}xx` })
      duration.observe(durationMs / 1000)
    },
  }
}
