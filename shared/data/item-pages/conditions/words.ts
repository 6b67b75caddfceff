import type { Leaf } from '#shared/domain/item/questions/question.ts'
import type { SearchTerms } from '#shared/domain/search/query.ts'
import type { Sql } from '../../dialect.ts'
import { beginsWith } from '../../sql/begins-with.ts'
import { raw, sql } from '../../sql/sql.ts'
import { inList, selectsAtOnce } from '../../sql/statements.ts'
import { type Condition, existsIn } from './condition.ts'

/**
 * How many words may find the items, where an item needs all words: the longest, which are usually the rarest. Counting more costs too
 * much.
 */
const maxFinding = 5

/**
 * Items that have the words of a search in their searched texts (docs/design/search.md). The items with a word are in order of relevance,
 * which is not the order of any page. So these conditions only find items where those are few; elsewhere they are checked.
 */
export function withWords({ termsId, terms }: Extract<Leaf, { kind: 'words' }>): Condition[] {
  const { words, beginning, match } = terms
  const each: SearchTerms[] = [...words]
    .sort((one, other) => other.length - one.length)
    .map((word) => ({ words: [word], beginning: null, match: 'any' }))
  if (beginning !== null) each.push({ words: [], beginning, match: 'any' })
  if (match === 'any' || each.length === 1) return [withAnyWord(termsId, { words, beginning })]
  return each.map((one, n) => {
    const condition = withAnyWord(termsId, one)
    return n < maxFinding ? condition : { ...notFound, predicate: condition.predicate }
  })
}

const notFound = { candidates: null, indexRanges: null } as const

type AnyOf = Pick<SearchTerms, 'words' | 'beginning'>

function withAnyWord(termsId: number, { words, beginning }: AnyOf): Condition {
  const ofList = sql`w.terms_id = ${termsId}`
  const having = (id: string, which: Sql) => existsIn('item_terms w', 'w.item_id', id, sql`${ofList} and ${which}`)
  const found = (id: string) => {
    const word = having(id, inList('w.term', words))
    if (beginning === null) return word
    const begun = having(id, beginsWith('w.term', beginning))
    return words.length === 0 ? begun : sql`(${word} or ${begun})`
  }
  const predicate: Condition['predicate'] = (id) =>
    sql`(${found(id)}
      and ${having(id, sql`w.term = '' and w.band = ${revision(id)}`)})`
  if (words.length > selectsAtOnce) return { ...notFound, predicate }
  // Ranges select a time of creation as `k`; its value is not used here.
  const find = (which: Sql) =>
    sql`select item_id as id, 0 as k from item_terms where terms_id = ${termsId} and ${which}`
  const selects = [
    ...words.map((word) => find(sql`term = ${word}`)),
    ...(beginning === null ? [] : [find(beginsWith('term', beginning))]),
  ]
  return { ...notFound, predicate, anyOf: selects.map((candidates) => ({ ...notFound, predicate, candidates })) }
}

/** The `band` of the row with the empty word, if the words are of the item's current revision (025-item-terms.ts). */
function revision(id: string) {
  return sql`(select -r.revision from items r where r.id = ${raw(id)})`
}
