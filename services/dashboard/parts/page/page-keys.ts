import { computed, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** A key of the page that is open. */
export type PageKey = {
  /** As the browser names it, such as `j` or `[`; `Ctrl s` (on a Mac ⌘) also works in fields. */
  key: string
  /** What it does, for the help. */
  what: string
  /** Not in fields, where it means something else. */
  outside?: true
  run: () => void
}

/** Whether single keys do something; those with Ctrl do in any case. */
export const hasSingleKeys = signal(true)

const registered = signal<readonly (readonly PageKey[])[]>([])

/** The keys of what is on the page now. */
export const pageKeys = computed(() => registered.value.flat())

/** Gives a part of a page its keys for as long as it is there. Which keys they are does not change; what they do may. */
export function usePageKeys(keys: readonly PageKey[]): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const own = keys.map((one, n) => ({ ...one, run: () => latest.current[n]?.run() }))
    registered.value = [...registered.value, own]
    return () => {
      registered.value = registered.value.filter((one) => one !== own)
    }
  }, [])
}

/** Does what a key is for on this page. @returns whether it is for anything */
export function pressPageKey(event: KeyboardEvent): boolean {
  const withCtrl = event.ctrlKey || event.metaKey
  if (event.altKey || (!withCtrl && (!hasSingleKeys.value || isTyping(event)))) return false
  const pressed = withCtrl ? `Ctrl ${event.key}` : event.key
  const found = pageKeys.value.findLast(({ key, outside }) => key === pressed && !(outside && isTyping(event)))
  if (!found) return false
  event.preventDefault()
  found.run()
  return true
}

/** Whether a key belongs to a field, to an editor, or to a dialog. */
export function isTyping({ target }: Event): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type="checkbox"]), textarea, select, dialog, .editor, [popover]') !== null
  )
}
