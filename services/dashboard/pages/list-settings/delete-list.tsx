import type { List } from '#client/src/types/resources.ts'
import { client } from '../../api/client.ts'
import { itemsIn } from '../../api/items-in.ts'
import { DeleteSection } from '../../forms/delete-section.tsx'
import { countOf } from '../../parts/display/text.tsx'
import { DeletionWarnings } from '../../parts/problems/warnings.tsx'
import { whyNotDeleted } from './list-draft.ts'

/** The button to delete a list, or why it cannot be deleted now. */
export function DeleteList({ list }: { list: List }) {
  const { id, name, pathName, scope } = list
  const itemCount = itemsIn(list)
  const why = whyNotDeleted(list)
  return (
    <DeleteSection
      what="list"
      name={name || pathName}
      lead={why ?? 'This permanently deletes the list, its indexes and its items.'}
      disabled={why !== null}
      typed={itemCount > 0 ? String(itemCount) : pathName}
      remove={() => client.lists.delete(id)}
      stale="lists"
      to="/lists"
    >
      <p>
        {itemCount > 0 ? `The list and its ${countOf(itemCount, 'item')} are` : 'The list is'} permanently deleted.
        Webhooks are not notified of the deletion of the items. You can use the path name {pathName} again at once.
      </p>
      {scope !== null && <p>The next sync of {scope} creates the list again, without items.</p>}
      <DeletionWarnings of={`list ${id}`} remove={(options) => client.lists.delete(id, options)} />
    </DeleteSection>
  )
}
