import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button } from '../controls/button.tsx'

type DialogProps = {
  title: string
  onClose: () => void
  /** Keeps it open when Escape is pressed, because something has to be done first. */
  stays?: boolean
  /** Hides the page below it. */
  covers?: boolean
  wide?: boolean
  children: ComponentChildren
}

/** A modal dialog. It takes the focus, keeps it while it is open, and returns it when it closes. */
export function Dialog({ title, onClose, stays, covers, wide, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // Returns the focus. Until then, nothing outside the dialog can have it.
    return () => shown?.close()
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
