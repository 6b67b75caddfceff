import { useState } from 'preact/hooks'
import type { List } from '#client/src/resources.ts'
import { navigate } from '../../address/location.ts'
import { client } from '../../api/client.ts'
import { refresh } from '../../api/resource.ts'
import { announce } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Agree } from '../../parts/dialog.tsx'
import { countOf } from '../../parts/text.tsx'
import { DeletionWarnings } from '../../parts/warnings.tsx'
import { whyNotDeleted } from './list-draft.ts'

/** The way to delete a list, or why there is none now. */
export function DeleteList({ list }: { list: List }) {
  const [asks, setAsks] = useState(false)
  const why = whyNotDeleted(list)
  return (
    <section class="form" aria-label="Delete">
      <h2>Delete</h2>
      <p class="muted">{why ?? 'The list goes for good, with its indexes and items.'}</p>
      <div>
        <Button kind="bad" disabled={why !== null} onPress={() => setAsks(true)}>
          Delete this list…
        </Button>
      </div>
      {asks && <AskToDelete list={list} onClose={() => setAsks(false)} />}
    </section>
  )
}

function AskToDelete({ list, onClose }: { list: List; onClose: () => void }) {
  const { id, name, pathName, itemCount, scope } = list
  const remove = async () => {
    await client.lists.delete(id)
    refresh('lists')
    navigate('/lists', { replace: true, unasked: true })
    announce(`The list ${name || pathName} was deleted.`)
  }
  return (
    <Agree
      title={`Delete ${name || pathName}?`}
      action="Delete the list"
      typed={itemCount > 0 ? String(itemCount) : pathName}
      onAgree={remove}
      onClose={onClose}
    >
      <p>
        {itemCount > 0 ? `The list and its ${countOf(itemCount, 'item')} go` : 'The list goes'} for good. Webhooks are
        not told of the items. Its path name {pathName} can be used again at once.
      </p>
      {scope !== null && <p>The next sync of {scope} makes the list again, without items.</p>}
      <DeletionWarnings of={`list ${id}`} remove={(options) => client.lists.delete(id, options)} />
    </Agree>
  )
}
