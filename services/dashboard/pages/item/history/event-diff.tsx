import { useMemo } from 'preact/hooks'
import type { Event } from '#client/src/types/resources.ts'
import { client } from '#services/dashboard/api/client.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import { useAction } from '#services/dashboard/forms/use-saving.ts'
import { announce } from '#services/dashboard/parts/controls/announce.tsx'
import { Button, Link } from '#services/dashboard/parts/controls/button.tsx'
import { ComparedWith, comparedTo } from '#services/dashboard/parts/controls/compared-with.tsx'
import { Diff } from '#services/dashboard/parts/display/diff.tsx'
import { changesBetween, placeName, readSnapshot } from '#services/dashboard/parts/events/event-changes.ts'
import { Loaded } from '#services/dashboard/parts/problems/problem.tsx'
import { itemsKey } from '../../lists/list-items.ts'
import { isDeletion, restoreItem, undoNewest } from '../restore-item.ts'
import { eventLabel } from './event-label.ts'

type EventDiffProps = {
  list: string
  id: string
  event: Event
  /** The other events to compare it with, newest first. */
  others: readonly Event[]
  /** The event before it, unless it is the first. */
  previous: Event | undefined
  isDeleted: boolean
}

/** The changes of an event, compared with the previous or another event, and a button that restores its version. */
export function EventDiff({ list, id, event, others, previous, isDeleted }: EventDiffProps) {
  const other = comparedTo(others, previous)
  const texts = useResource(`${itemsKey(list)}events ${id} ${other?.id} ${event.id}`, async (signal) => {
    const read = async (one: Event) => readSnapshot(await client.list(list).event(id, one.id, { signal }).text())
    const [before, after] = await Promise.all([other ? read(other) : null, read(event)])
    return { before, after }
  })
  return (
    <div class="stack">
      <h2>{eventLabel(event)}</h2>
      <p>
        <Link to={`/events?stream=item&to=${event.createdAt}&event=${event.id}`}>See the event that was sent</Link>
      </p>
      <ComparedWith previous={previous && stateOf(previous)} first="first" others={others.map(stateOf)} />
      {!isDeletion(event) && <Restore list={list} id={id} event={event} isDeleted={isDeleted} />}
      <Loaded resource={texts}>{({ before, after }) => <Changed before={before} after={after} event={event} />}</Loaded>
    </div>
  )
}

const stateOf = (event: Event) => ({ id: event.id, label: eventLabel(event) })

function Changed({ before, after, event }: { before: string | null; after: string | null; event: Event }) {
  const changes = useMemo(() => (after === null ? [] : changesBetween(before, after)), [before, after])
  if (isDeletion(event) && changes.length === 0) return <p class="muted">The item was deleted without a change.</p>
  if (changes.length === 0) return <p class="muted">Only the version and the time changed.</p>
  return <Diff changes={changes} nameOf={placeName} />
}

type RestoreProps = { list: string; id: string; event: Event; isDeleted: boolean }

function Restore({ list, id, event, isDeleted }: RestoreProps) {
  const { busy, act } = useAction()
  const restore = () =>
    act(async () => {
      const { version } = await restoreItem(list, id, event.id)
      const undo = () => undoNewest(list, id, 'The item was restored.')
      announce(`Version ${event.version} was restored as ${version}.`, isDeleted ? {} : { undo })
    })
  return (
    <div>
      <Button icon="again" busy={busy} kind={isDeleted ? 'primary' : undefined} onPress={restore}>
        {isDeleted ? 'Restore the item like this' : 'Restore this state'}
      </Button>
    </div>
  )
}
