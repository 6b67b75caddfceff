import { useEffect, useRef } from 'preact/hooks'
import { usePageKeys } from '#services/dashboard/parts/page/page-keys.ts'
import { lengths } from '#shared/domain/limits.ts'
import type { ItemsScope } from './items-scope.ts'
import { canSearch } from './named.ts'

/**
 * Finds items by alias and id and, if the list has a search index, by words. Enter searches for items with every word; the last word may be
 * a prefix. An empty text ends the search.
 */
export function SearchBox({ scope: { indexes, view, show } }: { scope: ItemsScope }) {
  const field = useRef<HTMLInputElement>(null)
  usePageKeys([{ key: 's', what: 'Search', run: () => field.current?.select() }])
  // Going back may show another search. The field stays mounted, and keeps the focus.
  useEffect(() => {
    if (field.current) field.current.value = view.search ?? ''
  }, [view.search])
  const hasAlias = indexes.some(({ alias }) => alias)
  const what = [...(canSearch(indexes) ? ['words'] : []), ...(hasAlias ? ['alias'] : []), 'id']
  const placeholder = `Search by ${what.join(what.length > 2 ? ', ' : ' or ').replace(/, (?=\w+$)/, ' or ')}`
  const search = (event: SubmitEvent) => {
    event.preventDefault()
    show({ search: field.current?.value.trim() || null, prefix: true, match: 'all' })
  }
  return (
    <form role="search" onSubmit={search}>
      <input
        ref={field}
        class="input narrow"
        type="search"
        aria-label={placeholder}
        placeholder={placeholder}
        maxLength={lengths.aliasValue}
      />
    </form>
  )
}
