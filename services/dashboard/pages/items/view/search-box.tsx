import { useEffect, useRef } from 'preact/hooks'
import { usePageKeys } from '#services/dashboard/parts/page/page-keys.ts'
import { queryLimits } from '#shared/domain/search/query.ts'
import type { ItemsScope } from './items-scope.ts'

/** Searches a list that has a searched index. */
export function SearchBox({ scope }: { scope: ItemsScope }) {
  const { indexes, view } = scope
  const canSearch = indexes.some(({ searching, activated }) => searching && activated)
  return canSearch || view.search !== null ? <Box scope={scope} /> : null
}

/** Enter searches for what is typed; nothing ends the search. */
function Box({ scope: { view, show } }: { scope: ItemsScope }) {
  const field = useRef<HTMLInputElement>(null)
  usePageKeys([{ key: 's', what: 'Search', run: () => field.current?.select() }])
  // The way back may lead to another search. The field stays the same, with the focus.
  useEffect(() => {
    if (field.current) field.current.value = view.search ?? ''
  }, [view.search])
  const { minShort, maxLength } = queryLimits
  const search = (event: SubmitEvent) => {
    event.preventDefault()
    show({ search: field.current?.value.trim() || null })
  }
  return (
    <form role="search" onSubmit={search}>
      <input
        ref={field}
        class="input narrow"
        type="search"
        aria-label="Search the items for words"
        placeholder="Search for words"
        minLength={minShort}
        maxLength={maxLength}
      />
    </form>
  )
}
