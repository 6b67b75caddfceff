import type { ItemVisibility } from '#shared/domain/access/ownership.ts'
import type { IdSelection } from '#shared/domain/access/selections.ts'
import { joinSql, sql } from '../../sql/sql.ts'
import { idTable, inList } from '../../sql/statements.ts'
import { type Condition, existsIn } from './condition.ts'
import { ownedBy } from './owner.ts'

/** Which items are visible: all, those of one identity, or those that either of two selections admits. */
export type ItemVisibilityFilter =
  | { kind: 'all' }
  | { kind: 'own'; identityId: string }
  | { kind: 'byId'; byId: ItemVisibility }

/** @returns null when all items are visible */
export function visibleBy(listId: string, visible: ItemVisibilityFilter): Condition | null {
  if (visible.kind === 'all') return null
  return visible.kind === 'own' ? ownedBy(listId, [visible.identityId]) : namedByRules(listId, visible.byId)
}

/** A condition that only items have to meet that are not activated. */
export function ifDraft({ predicate }: Condition): Condition {
  return {
    predicate: (id) => existsIn('items d', 'd.id', id, sql`(d.activated = 1 or ${predicate('d.id')})`),
    candidates: null,
    indexRanges: null,
  }
}

/** Permission rules that name items: the items they allow are found by id, those they deny are skipped. */
function namedByRules(listId: string, { regardlessOfOwner, owned: own }: ItemVisibility): Condition {
  const selects = (id: string, { rest, except }: IdSelection) =>
    rest ? sql`not (${inList(id, except)})` : inList(id, except)
  const owned = own && ownedBy(listId, [own.identityId])
  const found = [
    sql`select input.id from ${idTable(regardlessOfOwner.except)}`,
    ...(own && owned?.candidates
      ? [sql`${owned.candidates} and ${selects('id', own)} and not (${inList('id', regardlessOfOwner.except)})`]
      : []),
  ]
  return {
    predicate: (id) =>
      own && owned
        ? sql`(${selects(id, regardlessOfOwner)} or (${selects(id, own)} and ${owned.predicate(id)}))`
        : selects(id, regardlessOfOwner),
    candidates: regardlessOfOwner.rest ? null : joinSql(found, ' union all '),
    indexRanges: null,
  }
}
