import type { List } from '#client/src/types/resources.ts'
import { client } from '../../api/client.ts'
import { itemsIn } from '../../api/items-in.ts'
import { DeleteSection } from '../../forms/delete-section.tsx'
import { countOf } from '../../parts/display/text.tsx'
import { DeletionWarnings } from '../../parts/problems/warnings.tsx'
import { whyNotDeleted } from './list-draft.ts'

/** The way to delete a list, or why there is none now. */
export function DeleteList({ list }: { list: List }) {
  const { id, name, pathName, scope } = list
  const itemCount = itemsIn(list)
  const why = whyNotDeleted(list)
  return (
    <DeleteSection
      what="list"
      name={name || pathName}
      lead={why ?? 'The list goes for good, with its indexes and items.'}
      disabled={why !== null}
      typed={itemCount > 0 ? String(itemCount) : pathName}
      remove={() => client.lists.delete(id)}
      stale="lists"
      to="/lists"
    >
      <p>
        {itemCount > 0 ? `The list and its ${countOf(itemCount, 'item')} go` : 'The list goes'} for good. Webhooks are
        not notified of the deletion of the items. Its path name {pathName} can be used again at once.
      </p>
      {scope !== null && <p>The next sync of {scope} makes the list again, without items.</p>}
      <DeletionWarnings of={`list ${id}`} remove={(options) => client.lists.delete(id, options)} />
    </DeleteSection>
  )
}
