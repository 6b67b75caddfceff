import { useState } from 'preact/hooks'
import type { List } from '#client/src/resources.ts'
import { client } from '../../api/client.ts'
import { refresh, toListdError } from '../../api/resource.ts'
import { announce } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { messageOf } from '../../parts/problem.tsx'

/** Pins a list, so that it stands first and at the side; or takes it from there. */
export function PinButton({ list }: { list: List }) {
  const [busy, setBusy] = useState(false)
  const { id, pathName, pinned } = list
  const press = async () => {
    setBusy(true)
    try {
      await client.lists.update(id, { pinned: !pinned })
      announce(`${pathName} is ${pinned ? 'no longer pinned' : 'pinned'}.`)
    } catch (failure) {
      announce(messageOf(toListdError(failure)), { bad: true })
    }
    refresh('list')
    setBusy(false)
  }
  return (
    <span class="over">
      <Button kind="quiet" icon="pin" label={`Pin ${pathName}`} pressed={pinned} busy={busy} onPress={press} />
    </span>
  )
}
