import type { Leaf } from '#shared/domain/item/questions/question.ts'
import { raw, sql } from '../../sql/sql.ts'
import { inList, selectsAtOnce } from '../../sql/statements.ts'
import { type Condition, existsIn } from './condition.ts'

/**
 * Items that have one of these words in what is searched of them (docs/design/search.md). The items with a word are in the order of what it
 * tells of them, which is no page's: so these conditions find few items, and are checked otherwise.
 */
export function withWords({ termsId, anyOf: words }: Extract<Leaf, { kind: 'words' }>): Condition {
  const ofList = sql`w.terms_id = ${termsId}`
  const predicate: Condition['predicate'] = (id) =>
    sql`(${existsIn('item_terms w', 'w.item_id', id, sql`${ofList} and ${inList('w.term', words)}`)}
      and ${existsIn('item_terms w', 'w.item_id', id, sql`${ofList} and w.term = '' and w.band = ${revision(id)}`)})`
  const found = { predicate, candidates: null, indexRanges: null }
  if (words.length > selectsAtOnce) return found
  const branches = words.map((word) => ({
    ...found,
    // Ranges have a time of creation there.
    candidates: sql`select item_id as id, 0 as k from item_terms where terms_id = ${termsId} and term = ${word}`,
  }))
  return { ...found, anyOf: branches }
}

/** What the row with the empty word has of the revision that the words are of (025-item-terms.ts). */
function revision(id: string) {
  return sql`(select -r.revision from items r where r.id = ${raw(id)})`
}
