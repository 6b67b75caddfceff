import type { Actor } from '#shared/domain/actor.ts'
import type { IndexValue } from '#shared/domain/item/index-value.ts'
import type { Item } from '#shared/domain/item/item.ts'
import type { PlanLimits } from '#shared/domain/plan/plan.ts'
import type { ItemWords } from '#shared/domain/search/item-words.ts'

/** One validated change of one item as a value; everything is computed before it is committed. */
export type ItemChange = {
  accountId: string
  /** The list, and the version of its settings that the change was validated against. */
  list: { id: string; configVersion: number /** Streams receive its changes. */; realtime?: true }
  itemId: string
  /** The revision that the change was computed from; null creates, and recreates a deleted item if the revision of `after` is greater than 1. */
  expectedRevision: number | null
  /** The counted state of the item at that revision; null creates. */
  before: CountedState | null
  /** The item after the change; null deletes. */
  after: Item | null
  /** Index values of `after`. */
  indexValues: readonly IndexValue[]
  /** The words of `after`; absent: the list has no index with `searching`. */
  terms?: ItemTerms
  /** An index of the list may have elements of arrays, which the change removes with the item's state before it. */
  arrays?: true
  event: { id: string; type: string; actor: Actor; createdAt: number; version: string; snapshot: string }
  /** The exact text that webhooks are sent; stored only when the account has an active webhook. */
  payload: string
  requestId: string
  /** The limits of the account's plan; null: none. */
  limits: ItemLimits | null
}

/** The parts of an item that the counters of a list count. */
export type CountedState = Pick<Item, 'activated' | 'size'>

export type ItemLimits = Pick<PlanLimits, 'maxItemsPerList' | 'maxStorageBytes'>

/** The words of an item, and the id under which those of its list are stored. */
export type ItemTerms = ItemWords & { termsId: number }

/** Whether a change creates a deleted item again. */
export function isRecreation({ expectedRevision, after }: ItemChange): boolean {
  return expectedRevision === null && after !== null && after.revision > 1
}
