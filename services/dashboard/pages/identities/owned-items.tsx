import { useState } from 'preact/hooks'
import { route } from '#client/src/transport.ts'
import type { OwnIdentity } from '#client/src/types/resources.ts'
import { useResource } from '../../api/resource.ts'
import { Button, Link } from '../../parts/controls/button.tsx'
import { countOf } from '../../parts/display/text.tsx'
import { Loaded, Skeleton } from '../../parts/problems/problem.tsx'
import { countOwned } from './count-items.ts'

/** The items of an identity, counted on demand, because it takes a request for each list. */
export function OwnedItems({ identity: { id } }: { identity: OwnIdentity }) {
  const [asked, setAsked] = useState(false)
  const owned = useResource(asked ? `items owned by ${id}` : null, (signal) => countOwned(id, signal), { stays: true })
  return (
    <section class="form" aria-label="Items">
      <h2>Items</h2>
      {asked ? (
        <Loaded resource={owned} skeleton={<Skeleton lines={2} />}>
          {({ lists, isAtLeast }) => (
            <ul class="owned">
              {lists.map(({ pathName, items }) => (
                <li key={pathName}>
                  <Link to={`${route`/lists/${pathName}`}?identityId=${id}`}>{countOf(items, 'item')}</Link> of{' '}
                  {pathName}
                </li>
              ))}
              {lists.length === 0 && <li>It owns no items.</li>}
              {isAtLeast && <li class="muted">There may be more: not all lists were counted.</li>}
            </ul>
          )}
        </Loaded>
      ) : (
        <div>
          <Button onPress={() => setAsked(true)}>Count items</Button>
        </div>
      )}
    </section>
  )
}
