import type { ComponentChildren } from 'preact'
import { route } from '#client/src/transport.ts'
import { Button } from '../../parts/button.tsx'
import type { ApiCall } from '../../parts/copy-as/call-text.ts'
import { CopyAs } from '../../parts/copy-as/copy-as.tsx'
import { LeaveGuard } from '../../parts/leave-guard.tsx'
import { countOf } from '../../parts/text.tsx'

type SaveBarProps = {
  /** What goes with the page when it is left without saving: begins a sentence. */
  what: string
  /** How many fields differ from what is stored. */
  changed: number
  busy: boolean
  onSave: () => void
  onDiscard: () => void
  /** The same as a request of one's own. */
  call: ApiCall
  /** Instead of the number of changes. */
  children?: ComponentChildren
  /** Why it cannot be saved. */
  isBlocked?: boolean
}

/** The foot of a page with something to be saved: how much, and the two ways on. */
export function SaveBar({ what, changed, busy, onSave, onDiscard, call, isBlocked = false, children }: SaveBarProps) {
  const nothing = changed === 0
  return (
    <footer class="foot">
      {!nothing && <LeaveGuard what={what} />}
      <span role="status">
        {children ?? (nothing ? 'Everything is saved.' : `${countOf(changed, 'change')} not saved.`)}
      </span>
      <div class="grow" />
      {!nothing && <CopyAs call={call} />}
      <Button kind="quiet" disabled={nothing || busy} onPress={onDiscard}>
        Discard
      </Button>
      <Button kind="primary" disabled={nothing || isBlocked} busy={busy} onPress={onSave}>
        Save
      </Button>
    </footer>
  )
}

/** The update of a list, with the text of its body. */
export function updateCall(list: string, body: string): ApiCall {
  return {
    method: 'PUT',
    path: route`/lists/${list}`,
    body,
    sdk: `listd.lists.update(${JSON.stringify(list)}, ${body})`,
  }
}
