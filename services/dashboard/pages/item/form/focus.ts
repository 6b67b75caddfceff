import { childPointer, parsePointer } from '#shared/json/pointer.ts'

const controls = ['input, textarea, select, summary', 'button']

/**
 * Moves the focus to the first control of a place in a form, or of the innermost enclosing place that is rendered. Opens a folded element
 * on the way.
 * @param button the name of a button that gets the focus instead, if it is enabled
 * @returns false: a folded element was opened, and the focus has not moved yet
 */
export function focusPlace(form: HTMLElement, pointer: string, button?: string): boolean {
  const named = button && form.querySelector<HTMLElement>(`[aria-label="${CSS.escape(button)}"]:not([disabled])`)
  const place = named ? null : innermost(form, pointer)
  // Until its fields are rendered, the folded element itself is the innermost place.
  if (place instanceof HTMLDetailsElement) {
    place.open = true
    return false
  }
  const target = named || (place && firstControl(place)) || firstControl(form)
  target?.focus()
  target?.scrollIntoView({ block: 'nearest' })
  return true
}

/** The controls that edit a value precede the buttons that remove it. */
function firstControl(place: HTMLElement): HTMLElement | null {
  return controls.map((kind) => place.querySelector<HTMLElement>(kind)).find((found) => found) ?? null
}

function innermost(form: HTMLElement, pointer: string): HTMLElement | null {
  const steps = parsePointer(pointer) ?? []
  for (let length = steps.length; length >= 0; length--) {
    const at = steps.slice(0, length).reduce((above, step) => childPointer(above, step), '')
    const found = form.querySelectorAll<HTMLElement>(`[data-pointer="${CSS.escape(at)}"]`)
    // A folded element and the fields inside it have the same pointer: the last match is the fields.
    const last = found[found.length - 1]
    if (last) return last
  }
  return null
}

/** The pointer of the place that an element of a form belongs to; undefined: it belongs to no place. */
export function pointerOf(element: EventTarget | null): string | undefined {
  return element instanceof HTMLElement ? element.closest<HTMLElement>('[data-pointer]')?.dataset.pointer : undefined
}
