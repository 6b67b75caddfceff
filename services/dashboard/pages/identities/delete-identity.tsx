import type { OwnIdentity } from '#client/src/types/resources.ts'
import { client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { DeleteSection } from '../../forms/delete-section.tsx'
import { countOf } from '../../parts/display/text.tsx'
import { countOwned, type Owned } from './count-items.ts'

/** Deletes an identity, and says what happens to its items and sessions. */
export function DeleteIdentity({ identity: { id, name, sessionCount } }: { identity: OwnIdentity }) {
  return (
    <DeleteSection
      what="identity"
      name={name}
      typed={name}
      remove={() => client.identities.delete(id)}
      stale="identities"
      to="/identities"
    >
      <p>
        <Staying id={id} /> Its {countOf(sessionCount, 'active session')} end immediately. You cannot undo this.
      </p>
    </DeleteSection>
  )
}

/** What happens to its items. They are counted only when the dialog is open. */
function Staying({ id }: { id: string }) {
  const owned = useResource(`items owned by ${id}`, (signal) => countOwned(id, signal), { stays: true })
  return <>{owned.data ? staying(owned.data) : 'Its items are kept without an owner. Counting them…'}</>
}

function staying({ total, isAtLeast }: Owned): string {
  if (total === 0) return isAtLeast ? 'Its items are kept without an owner.' : 'It owns no items.'
  return `Its ${countOf(total, 'item')}${isAtLeast ? ' or more' : ''} ${total === 1 ? 'is' : 'are'} kept without an owner.`
}
