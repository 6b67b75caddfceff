import { childPointer, parsePointer } from '#shared/json/pointer.ts'

const controls = ['input, textarea, select, summary', 'button']

/**
 * Gives the focus to the first control of a place in a form, or of the innermost place around it that is shown. A folded element on the
 * way is opened.
 * @param button the name of a button that gets the focus instead, where it can be pressed
 * @returns whether it has the focus; false: something was opened on the way
 */
export function focusPlace(form: HTMLElement, pointer: string, button?: string): boolean {
  const named = button && form.querySelector<HTMLElement>(`[aria-label="${CSS.escape(button)}"]:not([disabled])`)
  const place = named ? null : innermost(form, pointer)
  // As long as its fields are not drawn, it is the innermost place itself.
  if (place instanceof HTMLDetailsElement) {
    place.open = true
    return false
  }
  const target = named || (place && firstControl(place)) || firstControl(form)
  target?.focus()
  target?.scrollIntoView({ block: 'nearest' })
  return true
}

/** What a value is edited with comes before what it can be removed with. */
function firstControl(place: HTMLElement): HTMLElement | null {
  return controls.map((kind) => place.querySelector<HTMLElement>(kind)).find((found) => found) ?? null
}

function innermost(form: HTMLElement, pointer: string): HTMLElement | null {
  const steps = parsePointer(pointer) ?? []
  for (let length = steps.length; length >= 0; length--) {
    const at = steps.slice(0, length).reduce((above, step) => childPointer(above, step), '')
    const found = form.querySelectorAll<HTMLElement>(`[data-pointer="${CSS.escape(at)}"]`)
    // The inner one of a folded element is its fields.
    const last = found[found.length - 1]
    if (last) return last
  }
  return null
}

/** The pointer of the place that an element of a form belongs to; undefined: none. */
export function pointerOf(element: EventTarget | null): string | undefined {
  return element instanceof HTMLElement ? element.closest<HTMLElement>('[data-pointer]')?.dataset.pointer : undefined
}
