import { eq } from '#client/src/filters.ts'
import type { Event } from '#client/src/types/resources.ts'
import { eventTypes } from '#shared/domain/event-types.ts'
import { here, navigate } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { account } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { Pick } from '../../parts/controls/pick.tsx'
import { readActorNames } from '../../parts/events/actors.ts'
import { eventWords } from '../../parts/events/event-words.ts'
import { NoneFound, Turn } from '../../parts/page/cursor-pages.tsx'
import { Detail } from '../../parts/page/detail.tsx'
import { Page } from '../../parts/page/page.tsx'
import { Empty, Loaded } from '../../parts/problems/problem.tsx'
import { spanChoices, spanStart } from '../../parts/spans.ts'
import { EventDetail } from './event-detail.tsx'
import { EventTable } from './event-table.tsx'

const pageSize = 50

/** `from` and `to` are ISO times; `since` is the span that set `from`. */
type View = { stream: string; type: string; since: string; from: string; to: string; after: string }

/** Reads the filters from the address. */
function viewOf({ query }: { query: URLSearchParams }): View {
  const read = (name: string) => query.get(name) ?? ''
  return {
    stream: read('stream'),
    type: read('type'),
    since: read('since'),
    from: read('from'),
    to: read('to'),
    after: read('after'),
  }
}

/** The event log of the account, newest first. */
export function EventsPage() {
  const view = viewOf(here.value)
  const log = useResource(`events ${JSON.stringify(view)}`, (signal) => readLog(view, signal))
  return (
    <Page
      title="Events"
      lead="Every change in the account, newest first. The operator of the server sets how long events are kept."
    >
      <Filters view={view} />
      <Loaded resource={log}>
        {({ data, next, names }) => {
          const wanted = here.value.query.get('event')
          const chosen = wanted === null ? data[0] : data.find(({ id }) => id === wanted)
          if (data.length === 0) return <NoEvents next={next} />
          return (
            <div class="split wide history">
              <div>
                <EventTable
                  events={data}
                  names={names}
                  chosen={chosen}
                  addressOf={({ id }) => withQuery(here.value, { event: id })}
                />
                <Turn next={next} leaves={['event']} />
              </div>
              {chosen && (
                <Detail
                  key={chosen.id}
                  label="The event"
                  isAsked={wanted !== null}
                  back={withQuery(here.value, { event: null })}
                >
                  <EventDetail event={chosen} names={names} />
                </Detail>
              )}
            </div>
          )
        }}
      </Loaded>
    </Page>
  )
}

/** The search may stop at its limit before it has found an event. */
function NoEvents({ next }: { next: string | null }) {
  if (next === null) return <Empty title="No events match">Older events may already have been deleted.</Empty>
  return (
    <>
      <NoneFound next={next} what="event" />
      <Turn next={next} />
    </>
  )
}

async function readLog({ stream, type, from, to, after }: View, signal: AbortSignal) {
  const where = { ...(stream && { stream: eq(stream) }), ...(type && { type: eq(type) }) }
  const times = { startAt: from || undefined, endAt: to || undefined }
  const page = await account.events({ where, ...times, limit: pageSize, signal }).after(after)
  return { ...page, names: await readActorNames(page.data, signal) }
}

function Filters({ view: { stream, type, since } }: { view: View }) {
  const set = (changes: Record<string, string>) =>
    navigate(
      withQuery(here.value, {
        ...Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value || null])),
        after: null,
        event: null,
      }),
    )
  const types: readonly string[] =
    stream in eventTypes ? eventTypes[stream as Event['stream']] : Object.values(eventTypes).flat()
  return (
    <div class="bar">
      <Pick
        label="Resource"
        value={stream}
        onValue={(value) => set({ stream: value, type: '' })}
        choices={[['', 'Everything'], ...Object.keys(eventTypes).map((name) => [name, name] as const)]}
      />
      <Pick
        label="What happened"
        value={type}
        onValue={(value) => set({ type: value })}
        choices={[['', 'Any change'], ...types.map((one) => [one, eventWords(one)] as const)]}
      />
      <Pick
        label="When"
        value={since}
        // The address has the start time of the span, so that it keeps showing the same events.
        onValue={(value) => set({ since: value, from: spanStart(value, Date.now()) ?? '', to: '' })}
        choices={spanChoices}
      />
    </div>
  )
}
