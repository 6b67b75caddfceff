import type { Event } from '#client/src/types/resources.ts'
import { hrefOf } from '../../address/location.ts'
import { Table } from '../../parts/display/table.tsx'
import { Ago } from '../../parts/display/text.tsx'
import { type ActorNames, actorName } from '../../parts/events/actors.ts'
import { eventWords } from '../../parts/events/event-words.ts'

type EventTableProps = {
  events: readonly Event[]
  names: ActorNames
  chosen?: Event | undefined
  /** The address that shows an event. */
  addressOf: (event: Event) => string
}

/** Events as rows, each with a link. */
export function EventTable({ events, names, chosen, addressOf }: EventTableProps) {
  return (
    <Table columns={['event', 'resource', 'by', 'when']}>
      <tbody>
        {events.map((event) => (
          <tr key={event.id} class={event === chosen ? 'on' : undefined}>
            <td class="lead">
              <a href={hrefOf(addressOf(event))} aria-current={event === chosen ? 'true' : undefined}>
                {eventWords(event.type)}
              </a>
            </td>
            <td class="mono muted under">
              {event.modelId.slice(0, 8)}…{event.modelId.slice(-4)}
              {event.version !== null && ` · ${event.version}`}
            </td>
            <td class="optional muted gives">{actorName(event.actor, names)}</td>
            <td class="muted when">
              <Ago at={event.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
