import type { Webhook, WebhookStats } from '#client/src/types/user-resources.ts'
import { here } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { account } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { Chart } from '../../parts/display/chart.tsx'
import { count } from '../../parts/display/text.tsx'
import { Causes } from './causes.tsx'
import { deliveriesKey } from './use-deliveries.ts'

const mostHours = 48

/** Statistics of the newest deliveries of a webhook: counts by hour, and causes of failures. */
export function StatsCards({ webhook: { id } }: { webhook: Webhook }) {
  const { data } = useResource(`${deliveriesKey} stats ${id}`, (signal) => account.webhooks.stats(id, { signal }))
  if (!data || data.succeeded + data.failed === 0) return null
  return (
    <div class="stats">
      <Hours stats={data} />
      {data.causes.length > 0 && (
        <Causes
          title="Why deliveries fail"
          causes={data.causes}
          addressOf={(conditions) =>
            withQuery(here.value, {
              error: null,
              responseStatus: null,
              ...conditions,
              status: 'failed',
              after: null,
              delivery: null,
            })
          }
        />
      )}
    </div>
  )
}

function Hours({ stats: { succeeded, failed, durations, hours } }: { stats: WebhookStats }) {
  const reported = `${count(succeeded)} received · ${count(failed)} failed`
  return (
    <section class="card" aria-label="The newest deliveries">
      <header>
        <h2 class="grow">The newest deliveries</h2>
        <span class="muted small">{reported}</span>
      </header>
      <div class="in">
        <Chart
          label={`${reported}, by the hour in which they ended`}
          columns={['hour', 'received', 'failed']}
          tones={[undefined, 'bad']}
          bars={hours.slice(-mostHours).map((hour) => ({ at: hour.at, parts: [hour.succeeded, hour.failed] }))}
        />
        {durations && (
          <p class="muted small">
            Attempts took {count(durations.p50)} ms (median), {count(durations.p95)} ms (95th percentile), and{' '}
            {count(durations.max)} ms (longest).
          </p>
        )}
      </div>
    </section>
  )
}
