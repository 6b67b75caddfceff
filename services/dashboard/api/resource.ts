import { useEffect, useReducer, useRef } from 'preact/hooks'
import { Reader, type Resource, type ResourceOptions } from './reader.ts'

/**
 * Reads something for a page, again when the key changes, when the reader comes back to the tab, and after `refresh`.
 * @param key what is read, in a few words: `lists`, `items recipes ?after=…`; null: nothing yet
 */
export function useResource<T>(
  key: string | null,
  load: (signal: AbortSignal) => Promise<T>,
  options: ResourceOptions<T> = {},
): Resource<T> {
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  const reader = useRef<Reader<T>>(null)
  reader.current ??= new Reader<T>(() => redraw(0))
  const current = reader.current
  current.load = load
  current.options = options
  useEffect(() => void current.read(key), [key])
  useEffect(() => current.attach(), [])
  return current.resourceOf(key)
}
