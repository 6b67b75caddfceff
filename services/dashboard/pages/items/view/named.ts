import type { Index } from '#client/src/types/resources.ts'
import { isId } from '#shared/domain/id.ts'
import { readQuery } from '#shared/domain/search/query.ts'
import { buildProblem } from './filters.ts'
import { type ItemsView, wholeList } from './view.ts'

/** Whether a list with these indexes can be searched for words. */
export const canSearch = (indexes: readonly Index[]): boolean =>
  indexes.some(({ searching, activated }) => searching && activated)

/** Whether a text can be searched for as words. A text that cannot may still be an alias or id. */
export const hasWords = (indexes: readonly Index[], text: string): boolean =>
  canSearch(indexes) && !('error' in readQuery(text))

/** The view of the item whose id or alias is the text; null: the text is not an id, and the list has no usable alias. */
export function namedView(indexes: readonly Index[], text: string): ItemsView | null {
  const value = text.trim()
  if (isId(value.toLowerCase())) return viewOf('id', value.toLowerCase())
  return indexes.some((index) => index.alias && buildProblem(index) === undefined) ? viewOf('alias', value) : null
}

const viewOf = (field: string, value: string): ItemsView => ({
  ...wholeList,
  filters: [{ field, operator: 'is', value }],
})
