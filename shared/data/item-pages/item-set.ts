import type { Question, ValueFilter } from '#shared/domain/item/questions/question.ts'
import type { Condition } from './conditions/condition.ts'
import { withValue } from './conditions/index-values.ts'
import { ownedBy } from './conditions/owner.ts'
import { conditionsOfQuestion } from './conditions/questions.ts'
import { taggedWith } from './conditions/tags.ts'
import { type ItemVisibilityFilter, ifDraft, visibleBy } from './conditions/visibility.ts'

/** Items of one list that a request asks for and its principal may see. */
export type ItemSet = {
  listId: string
  visible: ItemVisibilityFilter
  /** Null: both. */
  activated: boolean | null
  /** Items that are not activated have to be in this selection too; absent: in `visible` only. */
  drafts?: ItemVisibilityFilter
  readonly: boolean | null
  /** The item has at least one tag of each group. */
  tagged: readonly (readonly string[])[]
  /** Null: items with any owner, and without one. */
  ownerIds: readonly string[] | null
  /** At most one filter for each index that says what its values have to be. */
  values: readonly ValueFilter[]
  /** Further questions; the items have to match all of them. */
  questions?: readonly Question[]
}

/** All items of a list that are visible, without filters. */
export function visibleItems(listId: string, visible: ItemVisibilityFilter, activated: boolean | null): ItemSet {
  return { listId, visible, activated, readonly: null, tagged: [], ownerIds: null, values: [] }
}

/** All conditions of a set except its list and its flags, which are in every index that finds items. */
export function conditionsOf({
  listId,
  visible,
  drafts,
  tagged,
  ownerIds,
  values,
  questions = [],
}: ItemSet): Condition[] {
  const seen = visibleBy(listId, visible)
  const seenDrafts = drafts ? visibleBy(listId, drafts) : []
  return [
    ...seen,
    ...(seenDrafts.length > 0 ? [ifDraft(seenDrafts)] : []),
    ...(ownerIds === null ? [] : [ownedBy(listId, ownerIds)]),
    ...tagged.map((tags) => taggedWith(listId, tags)),
    ...values.flatMap(withValue),
    ...questions.flatMap((question) => conditionsOfQuestion(listId, question)),
  ]
}
