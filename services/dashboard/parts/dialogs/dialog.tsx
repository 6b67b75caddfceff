import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button } from '../controls/button.tsx'

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
    const shown = dialog.current
    shown?.showModal()
    // Gives the focus back; nothing outside can have it before.
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
