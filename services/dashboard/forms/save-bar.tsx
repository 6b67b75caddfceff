import type { ComponentChildren } from 'preact'
import { Button } from '../parts/controls/button.tsx'
import type { ApiCall } from '../parts/copy-as/call-text.ts'
import { CopyAs } from '../parts/copy-as/copy-as.tsx'
import { LeaveGuard } from '../parts/dialogs/leave-guard.tsx'
import { countOf } from '../parts/display/text.tsx'
import { usePageKeys } from '../parts/page/page-keys.ts'

type SaveBarProps = {
  /** What is lost when the page is left without saving. It begins a sentence. */
  what: string
  /** `changed`: how many fields differ from what is stored. */
  form: { changed: number; busy: boolean; save: () => void; discard: () => void }
  /** The save as an API request, for "Copy as". */
  call: ApiCall | (() => ApiCall)
  /** Instead of the number of changes. */
  children?: ComponentChildren
  /** Whether saving is blocked. */
  isBlocked?: boolean
  /** Whether it does not exist yet: saving creates it, also without changes. */
  isNew?: boolean
}

/** The footer of a page with changes: how many, and the buttons to discard and save them. Ctrl S saves too. */
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
