import { route } from '#client/src/transport.ts'
import type { Index } from '#client/src/types/resources.ts'
import { client } from '../../api/client.ts'
import { DeleteButton } from '../../forms/delete-section.tsx'
import { DeletionWarnings } from '../../parts/problems/warnings.tsx'
import { indexesKey } from '../lists/list-indexes.ts'
import { losses } from './index-draft.ts'

/** Deletes an index after a confirmation. For a guard, the user types its name: the values that it hides become visible. */
export function DeleteIndex({ name, index, disabled }: { name: string; index: Index; disabled: boolean }) {
  return (
    <DeleteButton
      what="index"
      name={index.pathName}
      label="Delete…"
      disabled={disabled}
      typed={index.guard ? index.pathName : undefined}
      remove={() => client.list(name).indexes.delete(index.id)}
      stale={indexesKey(name)}
      to={route`/lists/${name}/indexes`}
    >
      <p>{['Items keep their data.', ...losses(index, null)].join(' ')}</p>
      {index.scope !== null && <p>The next sync of {index.scope} creates it again.</p>}
      <DeletionWarnings
        of={`index ${index.id}`}
        remove={(options) => client.list(name).indexes.delete(index.id, options)}
      />
    </DeleteButton>
  )
}
