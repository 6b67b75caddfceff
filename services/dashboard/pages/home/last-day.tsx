import type { AccountStats } from '#client/src/types/user-resources.ts'
import { maxHourly } from '#shared/domain/hours.ts'
import { Link } from '../../parts/controls/button.tsx'
import { type Bar, Chart } from '../../parts/display/chart.tsx'
import { timeWords } from '../../parts/display/dates.ts'
import { count } from '../../parts/display/text.tsx'
import { Causes } from '../deliveries/causes.tsx'
import { RunCauses } from './run-causes.tsx'

/** The last 24 hours, by hour. Empty charts are left out. */
export function LastDay({ stats: { hours, causes, runCauses } }: { stats: AccountStats }) {
  const charts = chartsOf(hours).filter(({ bars }) => bars.some(({ parts }) => parts.some((part) => part > 0)))
  return (
    <section class="stack" aria-labelledby="last-day">
      <h2 id="last-day">The last 24 hours</h2>
      {charts.length === 0 && <p class="muted">No items were changed, no deliveries were sent, and no flows ran.</p>}
      <div class="day">
        {charts.map((chart) => (
          <OneChart key={chart.title} {...chart} />
        ))}
        {causes.length > 0 && (
          <Causes
            title="Why deliveries failed"
            causes={causes}
            addressOf={(conditions) => `/deliveries?${new URLSearchParams({ ...conditions, status: 'failed' })}`}
          />
        )}
        {runCauses.length > 0 && <RunCauses causes={runCauses} />}
      </div>
    </section>
  )
}

type HourChart = {
  title: string
  /** The address that lists the entries; null: they are only counted. */
  to: string | null
  names: readonly string[]
  bars: readonly Bar[]
}

function OneChart({ title, to, names, bars }: HourChart) {
  const reported = names
    .map((name, n) =>
      totalText(
        bars.map(({ parts }) => parts[n] ?? 0),
        name,
      ),
    )
    .join(' · ')
  return (
    <section class="card" aria-label={title}>
      <header>
        <h3 class="grow">{to === null ? title : <Link to={to}>{title}</Link>}</h3>
        <span class="muted small">{reported}</span>
      </header>
      <div class="in">
        <Chart
          label={`${title} in the last 24 hours, by hour: ${reported}.`}
          columns={['hour', ...names]}
          tones={[undefined, 'bad']}
          bars={bars}
          ends={['24 h ago', 'now']}
        />
      </div>
    </section>
  )
}

/** For example "1,204 failed", or "2,000 or more changes" if an hour has reached the maximum that is counted. */
function totalText(parts: readonly number[], name: string): string {
  const total = parts.reduce((sum, part) => sum + part, 0)
  // Only requests are counted without a maximum.
  const more = name !== 'requests' && parts.some((part) => part >= maxHourly) ? ' or more' : ''
  return `${count(total)}${more} ${total === 1 ? name.replace(/(request|change)s$/, '$1') : name}`
}

function chartsOf(hours: AccountStats['hours']): HourChart[] {
  const barsOf = (parts: (hour: AccountStats['hours'][number]) => number[]): Bar[] =>
    hours.map((hour) => ({ at: timeWords(Date.parse(hour.at)), parts: parts(hour) }))
  return [
    { title: 'Requests', to: null, names: ['requests'], bars: barsOf(({ requests }) => [requests]) },
    {
      title: 'Item changes',
      to: '/events?stream=item',
      names: ['changes'],
      bars: barsOf(({ changes }) => [changes]),
    },
    {
      title: 'Deliveries',
      to: '/deliveries',
      names: ['received', 'failed'],
      bars: barsOf(({ deliveries: { succeeded, failed } }) => [succeeded, failed]),
    },
    {
      title: 'Flow runs',
      to: '/runs',
      names: ['succeeded', 'failed'],
      bars: barsOf(({ runs: { succeeded, failed } }) => [succeeded, failed]),
    },
  ]
}
