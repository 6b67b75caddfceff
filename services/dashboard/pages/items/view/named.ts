import type { Index } from '#client/src/types/resources.ts'
import { isId } from '#shared/domain/id.ts'
import { readQuery } from '#shared/domain/search/query.ts'
import { buildProblem } from './filters.ts'
import { type ItemsView, wholeList } from './view.ts'

/** Whether the items of a list with these indexes are searched for words. */
export const canSearch = (indexes: readonly Index[]): boolean =>
  indexes.some(({ searching, activated }) => searching && activated)

/** Whether a text is searched for as words: one that is none may name an item. */
export const hasWords = (indexes: readonly Index[], text: string): boolean =>
  canSearch(indexes) && !('error' in readQuery(text))

/** The view of the item that a text is the id or the alias of; null: the list has no alias, and the text is no id. */
export function namedView(indexes: readonly Index[], text: string): ItemsView | null {
  const value = text.trim()
  if (isId(value.toLowerCase())) return viewOf('id', value.toLowerCase())
  return indexes.some((index) => index.alias && buildProblem(index) === undefined) ? viewOf('alias', value) : null
}

const viewOf = (field: string, value: string): ItemsView => ({
  ...wholeList,
  filters: [{ field, operator: 'is', value }],
})
