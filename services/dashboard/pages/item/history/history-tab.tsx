import type { Event } from '#client/src/types/resources.ts'
import { here } from '#services/dashboard/address/location.ts'
import { withQuery } from '#services/dashboard/address/pattern.ts'
import { client } from '#services/dashboard/api/client.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import type { Tone } from '#services/dashboard/parts/display/marks.tsx'
import { type Moment, Timeline } from '#services/dashboard/parts/display/timeline.tsx'
import { type ActorNames, actorName, readActorNames } from '#services/dashboard/parts/events/actors.ts'
import { Turn } from '#services/dashboard/parts/page/cursor-pages.tsx'
import { Detail } from '#services/dashboard/parts/page/detail.tsx'
import { Empty, Loaded } from '#services/dashboard/parts/problems/problem.tsx'
import { itemsKey } from '../../lists/list-items.ts'
import { EventDiff } from './event-diff.tsx'
import { eventLabel } from './event-label.ts'

const pageSize = 30

type HistoryTabProps = { list: string; id: string; isDeleted: boolean }

/** What happened to an item, newest first, and what each event changed. */
export function HistoryTab({ list, id, isDeleted }: HistoryTabProps) {
  const after = here.value.query.get('after') ?? ''
  const history = useResource(`${itemsKey(list)}history ${id} ${after}`, (signal) =>
    readHistory({ list, id, after }, signal),
  )
  return (
    <Loaded resource={history}>
      {({ events, oldest, next, names }) => {
        const [first] = isDeleted ? events.slice(1) : events
        const chosen = events.find((one) => one.id === here.value.query.get('event')) ?? first ?? events[0]
        if (!chosen)
          return (
            <Empty title="The event log no longer has events of this item">Events are kept for a limited time.</Empty>
          )
        return (
          <div class="split wide history">
            <div>
              <Timeline label="Events" moments={momentsOf({ events, chosen, names })} />
              <Turn next={next} leaves={['event', 'with']} />
            </div>
            <Detail
              key={chosen.id}
              label="What changed"
              isAsked={here.value.query.get('event') === chosen.id}
              back={withQuery(here.value, { event: null, with: null })}
            >
              <EventDiff
                list={list}
                id={id}
                event={chosen}
                others={events.filter((one) => one !== chosen)}
                previous={events[events.indexOf(chosen) + 1] ?? oldest}
                isDeleted={isDeleted}
              />
            </Detail>
          </div>
        )
      }}
    </Loaded>
  )
}

async function readHistory({ list, id, after }: { list: string; id: string; after: string }, signal: AbortSignal) {
  const events = (limit: number, cursor: string) => client.list(list).events(id, { limit, signal }).after(cursor)
  const { data, next } = await events(pageSize, after)
  // The last event on the page is compared with this one.
  const oldest = next === null ? undefined : (await events(1, next)).data[0]
  return { events: data, oldest, next, names: await readActorNames(data, signal) }
}

type MomentsOf = { events: readonly Event[]; chosen: Event; names: ActorNames }

function momentsOf({ events, chosen, names }: MomentsOf): Moment[] {
  return events.map((event) => ({
    to: withQuery(here.value, { event: event.id, with: null }),
    isChosen: event === chosen,
    tone: tones[event.type] ?? 'off',
    title: eventLabel(event),
    at: event.createdAt,
    by: actorName(event.actor, names),
  }))
}

const tones: Readonly<Record<string, Tone>> = {
  'item-created': 'good',
  'item-restored': 'accent',
  'item-deleted': 'bad',
}
