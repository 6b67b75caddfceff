import { visibleItemsFor } from '#services/gateway/auth/visibility.ts'
import type { FlowPrincipal, ItemPrincipal } from '#services/gateway/request/principal.ts'
import type { Queries } from '#shared/data/database.ts'
import type { ItemSet } from '#shared/data/item-pages/item-set.ts'
import { withoutValuesAt } from '#shared/domain/item/guard.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { asksForDrafts } from '#shared/domain/item/questions/question.ts'
import { type ListConfig, ruledList } from '../../lists/list-cache.ts'
import { filteredBy } from '../questions/item-questions.ts'
import type { ItemListing, PageQuestion } from './page-question.ts'
import { hiddenPointers } from './serialize.ts'

/** The items of a question that a caller sees. */
export type SeenItems = {
  set: ItemSet
  /** Whether filters leave out items that the caller sees. */
  filtered: boolean
  withData: boolean
  /** Returns what the caller sees of an item; undefined: all of it. */
  see: ((item: Item) => Item) | undefined
  /** How the bytes of an item are counted; undefined: all that `see` leaves. */
  seenBytes: ((item: Item) => number) | undefined
}

/** @returns null when the caller sees none. @throws VALIDATION_FAILED for `mine` without identity headers */
export async function seenItems(
  db: Queries,
  config: ListConfig,
  { listing, question }: { listing: ItemListing; question: PageQuestion },
): Promise<SeenItems | null> {
  const { principal, filters, includeData } = listing
  const { values, questions } = question
  const ofFlow = principal.mode === 'flow' && asksForDrafts(questions) ? 'any' : undefined
  const visible = visibleItemsFor(principal, ruledList(config), filters.activated ?? ofFlow)
  if (!visible) return null
  const set = { ...visible, ...(await filteredBy(db, principal, { filters, questions })), values }
  const see = viewOf(config, listing)
  return {
    set,
    filtered: question.isFiltered || set.visible.kind === 'asked' || isChosenByFlag(principal, set),
    // Without the guarded values `size` is different, and can only be computed from the data.
    withData: includeData || see !== undefined,
    see,
    seenBytes: principal.mode === 'flow' ? bytesSeenBy(config, principal) : undefined,
  }
}

/** Whether a page filters the items that the principal sees by `activated`. Leaving out drafts does not count, except for users. */
function isChosenByFlag({ mode }: ItemPrincipal, { activated, drafts }: ItemSet): boolean {
  return mode === 'user' ? activated !== null : activated === false || drafts !== undefined
}

function viewOf(
  config: ListConfig,
  { principal, includeData, includeGuarded }: ItemListing,
): ((item: Item) => Item) | undefined {
  if (principal.mode !== 'token' || config.guards.length === 0) return undefined
  return (item) => {
    const seen = withoutValuesAt(item, hiddenPointers({ item, config }, { principal, includeGuarded }))
    return includeData ? seen : { ...seen, data: 'null' }
  }
}

/** A run gets whole items; its nodes may see less of them. */
function bytesSeenBy({ guards }: ListConfig, { seesGuarded }: FlowPrincipal): ((item: Item) => number) | undefined {
  return seesGuarded || guards.length === 0 ? undefined : (item) => withoutValuesAt(item, guards).size
}
