import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { navigate } from '../address/location.ts'
import { refresh } from '../api/reader.ts'
import { announce } from '../parts/controls/announce.tsx'
import { Button } from '../parts/controls/button.tsx'
import { Agree } from './form-dialog.tsx'

type DeleteButtonProps = {
  /** The kind of thing, such as "list". */
  what: string
  name: string
  /** Instead of "Delete this list…". */
  label?: string
  disabled?: boolean
  /** The text to type to confirm. */
  typed?: string | undefined
  remove: () => PromiseLike<unknown>
  /** Prefix of the keys that are read again afterwards. */
  stale: string
  /** The address to go to afterwards. */
  to: string
  /** The consequences, in sentences. They are rendered only when the button has been pressed. */
  children: ComponentChildren
}

/** Asks, deletes something permanently, and leaves its page. */
export function DeleteButton({
  what,
  name,
  label,
  disabled = false,
  typed,
  remove,
  stale,
  to,
  children,
}: DeleteButtonProps) {
  const [asks, setAsks] = useState(false)
  const onAgree = async () => {
    await remove()
    refresh(stale)
    navigate(to, { replace: true, unasked: true })
    announce(`The ${what} ${name} was deleted.`)
  }
  return (
    <>
      <Button kind="bad" disabled={disabled} onPress={() => setAsks(true)}>
        {label ?? `Delete this ${what}…`}
      </Button>
      {asks && (
        <Agree
          title={`Delete ${label ? `the ${what} ${name}` : name}?`}
          action={`Delete the ${what}`}
          typed={typed}
          onAgree={onAgree}
          onClose={() => setAsks(false)}
        >
          {children}
        </Agree>
      )}
    </>
  )
}

/** The section of a page with its delete button. @param lead what is deleted, or why it cannot be deleted now */
export function DeleteSection({ lead, ...button }: DeleteButtonProps & { lead?: ComponentChildren }) {
  return (
    <section class="form" aria-label="Delete">
      <h2>Delete</h2>
      {lead !== undefined && <p class="muted">{lead}</p>}
      <div>
        <DeleteButton {...button} />
      </div>
    </section>
  )
}
