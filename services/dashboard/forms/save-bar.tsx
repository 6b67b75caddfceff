import type { ComponentChildren } from 'preact'
import { Button } from '../parts/controls/button.tsx'
import type { ApiCall } from '../parts/copy-as/call-text.ts'
import { CopyAs } from '../parts/copy-as/copy-as.tsx'
import { LeaveGuard } from '../parts/dialogs/leave-guard.tsx'
import { countOf } from '../parts/display/text.tsx'
import { usePageKeys } from '../parts/page/page-keys.ts'

type SaveBarProps = {
  /** What goes with the page when it is left without saving: begins a sentence. */
  what: string
  /** `changed`: how many fields differ from what is stored. */
  form: { changed: number; busy: boolean; save: () => void; discard: () => void }
  /** The same as a request of one's own. */
  call: ApiCall | (() => ApiCall)
  /** Instead of the number of changes. */
  children?: ComponentChildren
  /** Why it cannot be saved. */
  isBlocked?: boolean
  /** It is not there yet: saving creates it, as it is. */
  isNew?: boolean
}

/** The foot of a page with something to be saved: how much, and the two ways on. Ctrl S saves too. */
export function SaveBar({ what, form, call, isBlocked = false, isNew = false, children }: SaveBarProps) {
  const { changed, busy, save, discard } = form
  usePageKeys([{ key: 'Ctrl s', what: 'Save', run: save }])
  const nothing = changed === 0
  const canSave = (!nothing || isNew) && !isBlocked
  return (
    <footer class="foot">
      {!nothing && <LeaveGuard what={what} />}
      <span role="status">
        {children ?? (nothing ? 'All changes are saved.' : `${countOf(changed, 'change')} not saved.`)}
      </span>
      <div class="grow" />
      {canSave && <CopyAs call={call} />}
      <Button kind="quiet" disabled={nothing || busy} onPress={discard}>
        Discard
      </Button>
      <Button kind="primary" disabled={!canSave} busy={busy} onPress={save}>
        {isNew ? 'Create' : 'Save'}
      </Button>
    </footer>
  )
}
