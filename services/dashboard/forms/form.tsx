import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Problems } from './use-saving.ts'

type FormProps = {
  label?: string
  /** How it looks. */
  class?: 'form' | 'settings' | 'index-editor' | 'form new-list-form'
  /** The problems by field: the first field with one gets the focus. */
  problems?: Problems
  onSend: () => void
  children: ComponentChildren
}

/** A form that the page sends. */
export function Form({ label, class: look = 'form', problems, onSend, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [problems])
  return (
    <form
      ref={form}
      class={look}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        onSend()
      }}
    >
      {children}
    </form>
  )
}
