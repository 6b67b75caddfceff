import { computed, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** A keyboard shortcut of the open page. */
export type PageKey = {
  /** The key as the browser names it, such as `j` or `[`. `Ctrl s` (on a Mac ⌘) also works in fields. */
  key: string
  /** Its description in the help. */
  what: string
  /** Whether it is ignored in fields, where it has another meaning. */
  outside?: true
  run: () => void
}

/** Whether single-key shortcuts are on. Shortcuts with Ctrl are always on. */
export const hasSingleKeys = signal(true)

const registered = signal<readonly (readonly PageKey[])[]>([])

/** The shortcuts of all mounted components. */
export const pageKeys = computed(() => registered.value.flat())

/** Registers shortcuts while a component is mounted. Their keys must not change between renders; their actions may. */
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

/** Runs the shortcut of a key, if there is one. @returns whether there is one */
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
