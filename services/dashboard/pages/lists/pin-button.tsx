import type { List } from '#client/src/types/resources.ts'
import { client } from '../../api/client.ts'
import { useAction } from '../../forms/use-saving.ts'
import { Button } from '../../parts/controls/button.tsx'

/** Pins a list, so that it is first in tables and shown in the sidebar, or unpins it. */
export function PinButton({ list }: { list: List }) {
  const { busy, act } = useAction()
  const { id, pathName, pinned } = list
  const said = `${pathName} is ${pinned ? 'no longer pinned' : 'pinned'}.`
  const press = () => act(() => client.lists.update(id, { pinned: !pinned }), { said, stale: 'list' })
  return (
    <span class="over">
      <Button kind="quiet" icon="pin" label={`Pin ${pathName}`} pressed={pinned} busy={busy} onPress={press} />
    </span>
  )
}
