import type { Leaf } from '#shared/domain/item/questions/question.ts'
import type { SearchTerms } from '#shared/domain/search/query.ts'
import type { Sql } from '../../dialect.ts'
import { beginsWith } from '../../sql/begins-with.ts'
import { raw, sql } from '../../sql/sql.ts'
import { inList, selectsAtOnce } from '../../sql/statements.ts'
import { type Condition, existsIn } from './condition.ts'

/** Of words that all have to be there the longest find the items, which are the rarest as a rule: so many, or their counts cost too much. */
const maxFinding = 5

/**
 * Items that have the words of a search in what is searched of them (docs/design/search.md). The items with a word are in the order of
 * what it tells of them, which is no page's: so these conditions find few items, and are checked otherwise.
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
  // Ranges have a time of creation as k.
  const find = (which: Sql) =>
    sql`select item_id as id, 0 as k from item_terms where terms_id = ${termsId} and ${which}`
  const selects = [
    ...words.map((word) => find(sql`term = ${word}`)),
    ...(beginning === null ? [] : [find(beginsWith('term', beginning))]),
  ]
  return { ...notFound, predicate, anyOf: selects.map((candidates) => ({ ...notFound, predicate, candidates })) }
}

/** What the row with the empty word has of the revision that the words are of (025-item-terms.ts). */
function revision(id: string) {
  return sql`(select -r.revision from items r where r.id = ${raw(id)})`
}
