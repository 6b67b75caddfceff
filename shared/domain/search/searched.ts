import { AppError } from '../../errors.ts'
import type { IndexChange } from '../list/index-build.ts'
import type { ListIndex } from '../list/index-fields.ts'
import { TextDigest } from '../text/digest.ts'

type Traits = Pick<ListIndex, 'searching' | 'activated' | 'guard' | 'valuesId'>

/** Whether the values of an index are searched. */
export function isSearched({ searching, activated, guard }: Omit<Traits, 'valuesId'>): boolean {
  return searching && activated && !guard
}

/** The error of a search in a list none of whose indexes is searched. */
export function nothingSearched(): AppError {
  return new AppError('INDEX_NOT_USABLE', { message: 'No index of the list has "searching" turned on.' })
}

/** Whether a change of an index changes the words of the items of its list. */
export function changesWords({ before, after }: IndexChange): boolean {
  return searchedValues(before) !== searchedValues(after)
}

function searchedValues(index: ListIndex | null): string | null {
  return index && isSearched(index) ? index.valuesId : null
}

/** A digest of the searched indexes of a list, by their `valuesId`s, which change with their values. Null: none. */
export function searchedDigest(indexes: readonly Traits[]): string | null {
  const valuesIds = indexes.filter(isSearched).map(({ valuesId }) => valuesId)
  if (valuesIds.length === 0) return null
  return valuesIds.sort().reduce((digest, id) => digest.add(id), new TextDigest()).value
}

/** The id of the words that a list's items have from this version of its settings on: a whole number of 52 bits. */
export function termsIdOf({ id, configVersion }: { id: string; configVersion: number }): number {
  const { value } = new TextDigest().add(id).add(String(configVersion))
  return Number.parseInt(value.slice(0, 13), 16)
}
