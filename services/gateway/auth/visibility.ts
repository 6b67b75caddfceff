import { type ItemSight, itemSight } from '#shared/domain/item/ownership.ts'
import type { KnownCaller } from '../request/principal.ts'

/**
 * How a caller sees the items of a list: all of them, none, only those whose `identity_id` is its own, or, where rules
 * name items, what the two selections of `picked` let through together.
 */
export type Sight =
  | { kind: 'all' }
  | { kind: 'none' }
  | { kind: 'own'; identityId: string }
  | { kind: 'picked'; picked: ItemSight }

/** What a page, search or count of the list's items may show this caller, and nothing else (contract 1.2). */
export function sightOf(caller: KnownCaller, listId: string): Sight {
  if (caller.mode === 'user') return { kind: 'all' }
  const { anybodys, own } = itemSight(caller, listId)
  if (anybodys.except.length > 0) return { kind: 'picked', picked: { anybodys, own } }
  if (anybodys.rest) return { kind: 'all' }
  if (own && own.except.length > 0) return { kind: 'picked', picked: { anybodys, own } }
  return own?.rest ? { kind: 'own', identityId: own.identityId } : { kind: 'none' }
}
