import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { LinkButton } from '../controls/button.tsx'

type DetailProps = {
  /** Its subject, for screen readers. */
  label: string
  /** Whether the address names it. Otherwise it is the default, because no row is selected. */
  isAsked: boolean
  /** The address of the page without a selected row. */
  back: string
  children: ComponentChildren
}

/** The selected row in detail, next to all rows. In a narrow window it replaces the rows once it is opened. Its `key` is the row's. */
export function Detail({ label, isAsked, back, children }: DetailProps) {
  const box = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const before = document.activeElement
    if (!isAsked || !matchMedia('(max-width: 60rem)').matches) return
    box.current?.focus({ preventScroll: true })
    box.current?.scrollIntoView()
    return () => {
      // The rows are shown again after this is removed.
      setTimeout(() => before instanceof HTMLElement && before.isConnected && before.focus())
    }
  }, [isAsked])
  return (
    <aside ref={box} class={isAsked ? 'detail asked' : 'detail'} aria-label={label} tabIndex={-1}>
      <div class="back">
        <LinkButton to={back} kind="quiet">
          Back to the list
        </LinkButton>
      </div>
      {children}
    </aside>
  )
}
