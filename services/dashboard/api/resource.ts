import { useEffect, useReducer, useRef } from 'preact/hooks'
import { Reader, type Resource, type ResourceOptions } from './reader.ts'

/**
 * Reads a resource for a page. Reads it again when the key changes, when the user returns to the tab, and after `refresh`.
 * @param key names the resource: `lists`, `items recipes ?after=…`; null: nothing is read yet
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
