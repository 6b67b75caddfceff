import type { Webhook, WebhookStats } from '#client/src/types/user-resources.ts'
import { here, hrefOf } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { account } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { Chart } from '../../parts/display/chart.tsx'
import { count } from '../../parts/display/text.tsx'
import { errorWords, statusText } from './delivery-words.ts'
import { deliveriesKey } from './use-deliveries.ts'

const mostHours = 48
const mostCauses = 5

/** How the newest deliveries of a webhook went: by the hour, and why those failed that did. */
export function StatsCards({ webhook: { id } }: { webhook: Webhook }) {
  const { data } = useResource(`${deliveriesKey} stats ${id}`, (signal) => account.webhooks.stats(id, { signal }))
  if (!data || data.succeeded + data.failed === 0) return null
  return (
    <div class="stats">
      <Hours stats={data} />
      {data.causes.length > 0 && <Causes causes={data.causes} />}
    </div>
  )
}

function Hours({ stats: { succeeded, failed, durations, hours } }: { stats: WebhookStats }) {
  const told = `${count(succeeded)} received · ${count(failed)} failed`
  return (
    <section class="card" aria-label="The newest deliveries">
      <header>
        <h2 class="grow">The newest deliveries</h2>
        <span class="muted small">{told}</span>
      </header>
      <div class="in">
        <Chart
          label={`${told}, by the hour in which they were settled`}
          columns={['hour', 'received', 'failed']}
          tones={[undefined, 'bad']}
          bars={hours.slice(-mostHours).map((hour) => ({ at: hour.at, parts: [hour.succeeded, hour.failed] }))}
        />
        {durations && (
          <p class="muted small">
            Half of the attempts took {count(durations.p50)} ms at most, 95 of 100 {count(durations.p95)} ms, the
            longest {count(durations.max)} ms.
          </p>
        )}
      </div>
    </section>
  )
}

function Causes({ causes }: { causes: WebhookStats['causes'] }) {
  const most = Math.max(...causes.map((cause) => cause.count))
  return (
    <section class="card" aria-label="Why they fail">
      <header>
        <h2>Why they fail</h2>
      </header>
      <ul class="causes in" role="list">
        {causes.slice(0, mostCauses).map((cause) => {
          const name = 'error' in cause ? errorWords[cause.error].name : statusText(cause.responseStatus)
          const conditions =
            'error' in cause
              ? { error: cause.error, responseStatus: null }
              : { error: null, responseStatus: `${cause.responseStatus}` }
          return (
            <li key={name}>
              <a
                class="link"
                href={hrefOf(withQuery(here.value, { ...conditions, status: 'failed', after: null, delivery: null }))}
              >
                {name}
              </a>
              <span class="meter">
                <i style={{ width: `${(100 * cause.count) / most}%` }} />
              </span>
              <span class="num">{count(cause.count)}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
