import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import { toListdError } from '../api/resource.ts'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import { Problem } from './problem.tsx'

type DialogProps = {
  title: string
  onClose: () => void
  /** Keeps it open when somebody presses Escape: something has to be done first. */
  stays?: boolean
  /** Hides the page below it. */
  covers?: boolean
  wide?: boolean
  children: ComponentChildren
}

/** A question over the page. It takes the focus, keeps it, and gives it back. */
export function Dialog({ title, onClose, stays, covers, wide, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={['dialog', wide && 'wide', covers && 'covers'].filter(Boolean).join(' ')}
      aria-labelledby={id}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        if (!stays) onClose()
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {!stays && <Button kind="quiet" icon="close" label="Close" onPress={onClose} />}
      </header>
      <div class="in">{children}</div>
    </dialog>
  )
}

type AgreeProps = {
  title: string
  /** What happens, in sentences. */
  children: ComponentChildren
  /** The verb on the button. */
  action: string
  /** What has to be typed, such as the number of items that go for good. */
  typed?: string | undefined
  onAgree: () => Promise<void>
  onClose: () => void
}

/** Asks before something that cannot be taken back. With `typed` it is agreed by typing, not by a click. */
export function Agree({ title, children, action, typed, onAgree, onClose }: AgreeProps) {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<ListdError>()
  const agree = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    await onAgree().catch((failure) => setError(toListdError(failure)))
    setBusy(false)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="form" onSubmit={agree}>
        <div>{children}</div>
        {typed !== undefined && (
          <TextField
            label={`Type ${typed} to agree`}
            value={text}
            onValue={setText}
            autocomplete="off"
            mono
            autofocus
          />
        )}
        {error && <Problem error={error} />}
        <div class="ends">
          <Button onPress={onClose} autofocus={typed === undefined}>
            Cancel
          </Button>
          <Button kind="bad" sends busy={busy} disabled={typed !== undefined && text !== typed}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
