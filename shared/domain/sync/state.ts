import type { List } from '../list/fields.ts'
import type { ListIndex } from '../list/index-fields.ts'

/** A list with its indexes, as they are stored. */
export type CurrentList = { list: List; indexes: ListIndex[] }

/** What a plan depends on in addition to the document's entries and the current lists. */
export type SyncContext = {
  scope: string | null
  /** Whether lists and indexes that the scope manages and the document does not declare are deleted. */
  prune: boolean
  /** Whether the principal sees lists that are not activated; tokens do not (contract 2.1). */
  seesDeactivated: boolean
}

/** Indexes of one list, sorted by path name, because databases return them in any order. */
export function byPathName(indexes: readonly ListIndex[]): ListIndex[] {
  return indexes.toSorted((one, other) => (one.pathName < other.pathName ? -1 : 1))
}
