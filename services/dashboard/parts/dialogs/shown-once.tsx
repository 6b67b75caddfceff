import type { ComponentChildren } from 'preact'
import { Button } from '../controls/button.tsx'
import { CopyButton } from '../controls/copy.tsx'
import { Note } from '../display/marks.tsx'
import { Dialog } from './dialog.tsx'

type ShownOnceProps = {
  title: string
  /** Begins a sentence, such as "The secret". */
  what: string
  value: string
  /** Why it has to be saved now. */
  note: string
  onClose: () => void
  /** How it is used. */
  children?: ComponentChildren
  /** Shown next to the close button. */
  actions?: ComponentChildren
}

/** Shows a secret that cannot be read again: only this dialog has it, until it is closed. */
export function ShownOnce({ title, what, value, note, onClose, children, actions }: ShownOnceProps) {
  return (
    <Dialog title={title} onClose={onClose} stays wide>
      <div class="form">
        <Note tone="warn">{note}</Note>
        <div class="row secret">
          <code class="secret-value">{value}</code>
          <CopyButton text={value} what={what}>
            Copy
          </CopyButton>
        </div>
        {children}
        <div class="ends">
          {actions}
          <Button kind="primary" onPress={onClose}>
            I have saved it
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
