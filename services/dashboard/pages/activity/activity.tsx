import { useState } from 'preact/hooks'
import type { StatsOptions } from '#client/src/calls/events.ts'
import type { EventStats, ListStats, Stats } from '#client/src/types/resources.ts'
import { useResource } from '../../api/resource.ts'
import { Pick } from '../../parts/controls/pick.tsx'
import { Chart } from '../../parts/display/chart.tsx'
import { At, count, countOf } from '../../parts/display/text.tsx'
import { eventWords } from '../../parts/events/event-words.ts'
import { Loaded, Skeleton } from '../../parts/problems/problem.tsx'

type ActivityProps = {
  /** The key of the stored answer. */
  of: string
  read: (options: StatsOptions) => Promise<Stats | ListStats>
}

const choices = ['7', '30', '90'].map((days) => [days, `${days} days`] as const)

/** The events of a resource, by day. */
export function Activity({ of, read }: ActivityProps) {
  const [days, setDays] = useState('30')
  const stats = useResource(`${of} ${days}`, (signal) => read({ days: Number(days), signal }))
  return (
    <section class="card" aria-label="Activity">
      <header>
        <h2 class="grow">Activity</h2>
        <Pick label="Days" value={days} onValue={setDays} choices={choices} />
      </header>
      <div class="in">
        <Loaded resource={stats} skeleton={<Skeleton lines={3} />}>
          {(data) => (
            <>
              <p class="lead">
                {inWords(data.events)} {'items' in data && createdWords(data)}
              </p>
              <Chart
                label={`${inWords(data.events)} Events by day.`}
                columns={['day', 'events']}
                bars={data.events.metrics.map(({ date, count, types }) => ({
                  at: date,
                  parts: [count],
                  more: typesText(types),
                }))}
              />
              {data.events.countedSince && (
                <p class="muted small">
                  Only the newest events are counted, starting at <At at={data.events.countedSince} />.
                </p>
              )}
            </>
          )}
        </Loaded>
      </div>
    </section>
  )
}

function inWords({ totalThisPeriod, metrics }: EventStats): string {
  const today = metrics.at(-1)?.count ?? 0
  return `${countOf(totalThisPeriod, 'event')} in ${metrics.length} days, ${count(today)} of them today.`
}

const createdWords = ({ items, indexes }: ListStats) =>
  `${countOf(items.totalThisPeriod, 'item')} and ${countOf(indexes.totalThisPeriod, 'index', 'indexes')} were created.`

/** For example "3 item updated, 1 item created". */
const typesText = (types: Readonly<Record<string, number>>) =>
  Object.entries(types)
    .map(([type, n]) => `${count(n)} ${eventWords(type)}`)
    .join(', ')
