import type { ItemVisibility } from '#shared/domain/access/permissions.ts'
import type { IdSelection } from '#shared/domain/access/selections.ts'
import type { Question } from '#shared/domain/item/questions/question.ts'
import { joinSql, sql } from '../../sql/sql.ts'
import { idTable, inList } from '../../sql/statements.ts'
import { type Condition, existsIn, lookedThrough } from './condition.ts'
import { ownedBy } from './owner.ts'
import { conditionsOfQuestion } from './questions.ts'

/** Which items are visible: all, those of one identity, those that either of two selections admits, or those that match a question. */
export type ItemVisibilityFilter =
  | { kind: 'all' }
  | { kind: 'own'; identityId: string }
  | { kind: 'byId'; byId: ItemVisibility }
  | { kind: 'asked'; question: Question }

/** The conditions of visible items, all of which have to hold. */
export function visibleBy(listId: string, visible: ItemVisibilityFilter): Condition[] {
  switch (visible.kind) {
    case 'all':
      return []
    case 'own':
      return [ownedBy(listId, [visible.identityId])]
    case 'byId':
      return [namedByRules(listId, visible.byId)]
    case 'asked':
      return conditionsOfQuestion(listId, visible.question)
  }
}

/** The condition that an item is activated or meets all of these conditions. */
export function ifDraft(conditions: readonly Condition[]): Condition {
  const passes = (id: string) =>
    joinSql(
      conditions.map(({ predicate }) => predicate(id)),
      ' and ',
    )
  const looksThrough = lookedThrough(conditions)
  return {
    predicate: (id) => existsIn('items d', 'd.id', id, sql`(d.activated = 1 or (${passes('d.id')}))`),
    ...(looksThrough.length > 0 && { looksThrough }),
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
