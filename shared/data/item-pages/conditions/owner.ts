import { sql } from '../../sql/sql.ts'
import { inList } from '../../sql/statements.ts'
import { type Condition, existsIn, prefixesOf } from './condition.ts'

/** Items of one of these identities. */
export function ownedBy(listId: string, ownerIds: readonly string[]): Condition {
  const indexRanges = {
    table: 'items',
    id: 'id',
    prefixes: prefixesOf(ownerIds, (ownerId) => sql`identity_id = ${ownerId} and list_id = ${listId}`),
  } as const
  return {
    predicate: (id) => existsIn('items o', 'o.id', id, inList('o.identity_id', ownerIds)),
    candidates: sql`select id from items where list_id = ${listId} and ${inList('identity_id', ownerIds)}`,
    indexRanges,
    byCreation: indexRanges,
  }
}
