import type { Registry } from 'prom-client'

/** Metrics of one gateway process. */
export type Metrics = {
  registry: Registry
  /** Records one finished request. */
  record(request: { method: string; route: string; status: number; durationMs: number }): void
}

/** Buckets from a cached read (under 1 ms) to the slowest calls, which wait for others. */
const secondBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * Loads the metrics library, so it is called only if metrics are on. A request costs one histogram observation: its count and
 * duration by route template, method and status.
 */
export async function createMetrics(): Promise<Metrics> {
  const { Histogram, Registry } = await import('#shared/ops/prometheus.ts')
  const registry = new Registry()
  const durations = new Histogram({
    name: 'listd_http_request_duration_seconds',
    help: 'Time from the head of a request to its response, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: secondBuckets,
    registers: [registry],
  })
  return {
    registry,
    record: ({ method, route, status, durationMs }) =>
      durations.observe({ route, method, status: String(status) }, durationMs / 1000),
  }
}
