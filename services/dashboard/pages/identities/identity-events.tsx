import type { OwnIdentity } from '#client/src/types/resources.ts'
import { client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { readActorNames } from '../../parts/events/actors.ts'
import { Loaded, Skeleton } from '../../parts/problems/problem.tsx'
import { EventTable } from '../events/event-table.tsx'

/** The newest events of an identity. */
export function IdentityEvents({ identity: { id, updatedAt } }: { identity: OwnIdentity }) {
  const log = useResource(`events of identity ${id} ${updatedAt}`, async (signal) => {
    const { data } = await client.identities.events(id, { limit: 10, signal }).after()
    return { data, names: await readActorNames(data, signal) }
  })
  return (
    <section class="form" aria-label="Events">
      <h2>Events</h2>
      <Loaded resource={log} skeleton={<Skeleton lines={3} />}>
        {({ data, names }) => (
          <div class="card">
            <EventTable
              events={data}
              names={names}
              addressOf={({ id, createdAt }) => `/events?stream=identity&to=${createdAt}&event=${id}`}
            />
          </div>
        )}
      </Loaded>
    </section>
  )
}
