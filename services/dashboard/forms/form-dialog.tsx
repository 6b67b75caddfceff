import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import { Button } from '../parts/controls/button.tsx'
import { TextField } from '../parts/controls/field.tsx'
import { Dialog } from '../parts/dialogs/dialog.tsx'
import { Problem } from '../parts/problems/problem.tsx'
import { Form } from './form.tsx'
import { type Problems, useSaving } from './use-saving.ts'

type FormDialogProps = {
  title: string
  /** The verb on the button. */
  action: string
  kind?: 'primary' | 'bad'
  saving: { busy: boolean; problems: Problems; other: ListdError | undefined }
  disabled?: boolean
  /** Whether Cancel has the focus when it opens. */
  isQuestion?: boolean
  onSend: () => void
  onClose: () => void
  children: ComponentChildren
}

/** A form over the page, with a button to send and one to cancel. */
export function FormDialog({ title, action, kind = 'primary', saving, disabled, ...rest }: FormDialogProps) {
  const { isQuestion = false, onSend, onClose, children } = rest
  return (
    <Dialog title={title} onClose={onClose}>
      <Form problems={saving.problems} onSend={onSend}>
        {children}
        {saving.other && <Problem error={saving.other} />}
        <div class="ends">
          <Button onPress={onClose} autofocus={isQuestion}>
            Cancel
          </Button>
          <Button kind={kind} sends busy={saving.busy} disabled={disabled}>
            {action}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

type AgreeProps = {
  title: string
  /** The consequences, in sentences. */
  children: ComponentChildren
  /** The verb on the button. */
  action: string
  /** The text to type to confirm, such as the number of items that are deleted. */
  typed?: string | undefined
  onAgree: () => Promise<void>
  onClose: () => void
}

/** Asks before something that cannot be undone. With `typed`, the user confirms by typing a text, not by a click alone. */
export function Agree({ title, children, action, typed, onAgree, onClose }: AgreeProps) {
  const [text, setText] = useState('')
  const { run, ...saving } = useSaving(() => new Map())
  return (
    <FormDialog
      title={title}
      action={action}
      kind="bad"
      saving={saving}
      disabled={typed !== undefined && text !== typed}
      isQuestion={typed === undefined}
      onSend={() => run(onAgree)}
      onClose={onClose}
    >
      <div>{children}</div>
      {typed !== undefined && (
        <TextField
          label={`Type ${typed} to confirm`}
          value={text}
          onValue={setText}
          autocomplete="off"
          mono
          autofocus
        />
      )}
    </FormDialog>
  )
}
