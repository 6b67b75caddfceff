import { stringify } from '#client/src/json.ts'
import type { Event } from '#client/src/types/resources.ts'
import { diffJson } from '#shared/json/compare/diff.ts'
import { useResource } from '../../api/resource.ts'
import { Link } from '../../parts/controls/button.tsx'
import { CopyButton } from '../../parts/controls/copy.tsx'
import { Diff } from '../../parts/display/diff.tsx'
import { Facts } from '../../parts/display/marks.tsx'
import { At } from '../../parts/display/text.tsx'
import { type ActorNames, actorName } from '../../parts/events/actors.ts'
import { changesBetween, placeName } from '../../parts/events/event-changes.ts'
import { eventWords, placeOf } from '../../parts/events/event-words.ts'
import { Loaded, Skeleton } from '../../parts/problems/problem.tsx'
import { readSnapshots, type Snapshots } from './read-event.ts'
import { Trace } from './trace.tsx'

/** One event: its type, its changes, and its deliveries. */
export function EventDetail({ event, names }: { event: Event; names: ActorNames }) {
  const { id, type, stream, modelId, version, createdAt, attachments } = event
  const snapshots = useResource(`event ${id}`, (signal) => readSnapshots(event, signal), { stays: true })
  const place = placeOf(event)
  return (
    <div class="stack">
      <h2>{eventWords(type)}</h2>
      <Facts
        facts={[
          ['At', <At key="at" at={createdAt} />],
          ['By', actorName(event.actor, names)],
          [
            stream,
            <span key="thing" class="row">
              {place ? <Link to={place}>{modelId}</Link> : <code>{modelId}</code>}
              <CopyButton text={modelId} what="The id" />
            </span>,
          ],
          ...(version === null ? [] : [['Version', version] as const]),
          ...Object.entries(attachments ?? {}).map(([name, value]) => [name, wordsOf(value)] as const),
        ]}
      />
      <Loaded resource={snapshots} skeleton={<Skeleton lines={3} />}>
        {(read) => <Changed event={event} snapshots={read} />}
      </Loaded>
      {stream === 'item' && <Trace event={event} />}
    </div>
  )
}

const wordsOf = (value: unknown) => (typeof value === 'string' ? value : `${stringify(value)}`.slice(0, 1_000))

function Changed({ event: { stream, type }, snapshots: { before, after } }: { event: Event; snapshots: Snapshots }) {
  if (type.endsWith('-deleted')) return <p class="muted">It was deleted.</p>
  if (after === null) return <p class="muted">Its state at this event is no longer stored.</p>
  const changes =
    stream === 'item'
      ? changesBetween(before, after)
      : diffJson(before ?? '{}', after).filter(({ pointer }) => pointer !== '/updatedAt')
  if (changes.length === 0) return <p class="muted">No stored field changed.</p>
  return <Diff changes={changes} nameOf={placeName} />
}
