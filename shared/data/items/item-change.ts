import type { Actor } from '#shared/domain/actor.ts'
import type { IndexValue } from '#shared/domain/item/index-value.ts'
import type { Item } from '#shared/domain/item/item.ts'

/** One accepted change of one item as a value: everything is computed before it is handed over. */
export type ItemChange = {
  accountId: string
  /** The list and the version of its settings that the change was validated by. */
  list: { id: string; configVersion: number }
  itemId: string
  /** The revision the change was computed from; null creates. */
  expectedRevision: number | null
  /** The item after the change; null deletes. */
  after: Item | null
  /** Index values of `after`. */
  indexValues: readonly IndexValue[]
  event: { id: string; type: string; actor: Actor; createdAt: number; version: string; snapshot: string }
  /** The exact bytes that webhooks are sent; stored only when the account has an active webhook. */
  payload: string
  requestId: string
}

/** What became of a change; everything but `committed` wrote nothing. */
export type CommitOutcome = 'committed' | 'list-changed' | 'item-changed' | 'alias-taken'
