import { useRef } from 'preact/hooks'
import { here, navigate } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { usePageKeys } from './page-keys.ts'

/** The searched name, or a part of it, from the address. */
export const nameSought = () => here.value.query.get('name') ?? ''

/** A field that filters by name and stores the text in the address. @param what for example "a list" */
export function FindByName({ what }: { what: string }) {
  const field = useRef<HTMLInputElement>(null)
  usePageKeys([{ key: '/', what: `Find ${what} by name`, run: () => field.current?.focus() }])
  const find = (name: string) => navigate(withQuery(here.value, { name: name || null, page: null }), { replace: true })
  return (
    <input
      ref={field}
      class="input narrow"
      type="search"
      aria-label={`Find ${what} by name`}
      placeholder="Find by name"
      value={nameSought()}
      onInput={({ currentTarget }) => find(currentTarget.value)}
    />
  )
}
