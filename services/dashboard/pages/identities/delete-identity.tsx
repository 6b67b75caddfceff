import { useState } from 'preact/hooks'
import type { OwnIdentity } from '#client/src/resources.ts'
import { navigate } from '../../address/location.ts'
import { client } from '../../api/client.ts'
import { refresh, useResource } from '../../api/resource.ts'
import { announce } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Agree } from '../../parts/dialog.tsx'
import { countOf } from '../../parts/text.tsx'
import { countOwned, type Owned } from './count-items.ts'

/** The way to delete an identity, with what becomes of its items and sessions. */
export function DeleteIdentity({ identity }: { identity: OwnIdentity }) {
  const { id, name, sessionCount } = identity
  const [asks, setAsks] = useState(false)
  const owned = useResource(asks ? `items owned by ${id}` : null, (signal) => countOwned(id, signal), { stays: true })
  const remove = async () => {
    await client.identities.delete(id)
    refresh('identities')
    navigate('/identities', { replace: true, unasked: true })
    announce(`The identity ${name} was deleted.`)
  }
  return (
    <section class="form" aria-label="Delete">
      <h2>Delete</h2>
      <div>
        <Button kind="bad" onPress={() => setAsks(true)}>
          Delete the identity…
        </Button>
      </div>
      {asks && (
        <Agree
          title={`Delete ${name}?`}
          action="Delete the identity"
          typed={name}
          onAgree={remove}
          onClose={() => setAsks(false)}
        >
          <p>
            {owned.data ? staying(owned.data) : 'Its items stay without an owner; they are being counted…'} Its{' '}
            {countOf(sessionCount, 'live session')} end at once. It cannot be brought back.
          </p>
        </Agree>
      )}
    </section>
  )
}

function staying({ total, isAtLeast }: Owned): string {
  if (total === 0) return isAtLeast ? 'Its items stay without an owner.' : 'It owns no item.'
  return `Its ${countOf(total, 'item')}${isAtLeast ? ', or more,' : ''} ${total === 1 ? 'stays' : 'stay'} without an owner.`
}
