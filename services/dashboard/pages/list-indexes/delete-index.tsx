import { useState } from 'preact/hooks'
import type { Index } from '#client/src/resources.ts'
import { route } from '#client/src/transport.ts'
import { navigate } from '../../address/location.ts'
import { client } from '../../api/client.ts'
import { refresh } from '../../api/resource.ts'
import { announce } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Agree } from '../../parts/dialog.tsx'
import { DeletionWarnings } from '../../parts/warnings.tsx'
import { indexesKey } from '../lists/list-indexes.ts'
import { losses } from './index-draft.ts'

/** Asks, and deletes an index. A guard is typed: what it hides becomes visible. */
export function DeleteIndex({ name, index, disabled }: { name: string; index: Index; disabled: boolean }) {
  const [asks, setAsks] = useState(false)
  const remove = async () => {
    await client.list(name).indexes.delete(index.id)
    refresh(indexesKey(name))
    navigate(route`/lists/${name}/indexes`, { replace: true, unasked: true })
    announce(`The index ${index.pathName} was deleted.`)
  }
  return (
    <>
      <Button kind="bad" disabled={disabled} onPress={() => setAsks(true)}>
        Delete…
      </Button>
      {asks && (
        <Agree
          title={`Delete the index ${index.pathName}?`}
          action="Delete the index"
          typed={index.guard ? index.pathName : undefined}
          onAgree={remove}
          onClose={() => setAsks(false)}
        >
          <p>{['Items keep their data.', ...losses(index, null)].join(' ')}</p>
          {index.scope !== null && <p>The next sync of {index.scope} makes it again.</p>}
          <DeletionWarnings
            of={`index ${index.id}`}
            remove={(options) => client.list(name).indexes.delete(index.id, options)}
          />
        </Agree>
      )}
    </>
  )
}
