import type { Posting, PostingList } from '#shared/domain/search/ranking.ts'
import { toNumber, toText } from '../columns.ts'
import { Conflict } from '../conflict.ts'
import type { Queries } from '../database.ts'
import { conditionsOf, type ItemSet } from '../item-pages/item-set.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { inList, unindexed } from '../sql/statements.ts'
import type { Terms } from './term-counts.ts'

/** The first items of each list, `size` at most, shortest first and then newest first. */
export async function readPostings(
  db: Queries,
  { termsId }: Terms,
  lists: readonly (Pick<PostingList, 'word' | 'band'> & { size: number })[],
): Promise<Posting[][]> {
  const postings = lists.map((): Posting[] => [])
  for (let start = 0; start < lists.length; start += atOnce) {
    const selects = lists.slice(start, start + atOnce).map(({ word, band, size }, n) => {
      return sql`select ${raw(`${start + n}`)} as list, item_id, frequency, brevity from (select item_id, frequency, brevity from item_terms
        where terms_id = ${termsId} and term = ${word} and band = ${band}
        order by brevity desc, item_id desc limit ${raw(`${size}`)}) as p`
    })
    for (const row of await db.all(joinSql(selects, ' union all '))) {
      const { item_id, frequency, brevity } = row
      const posting = { itemId: toText(item_id), frequency: toNumber(frequency), length: -toNumber(brevity) }
      postings[toNumber(row.list)]?.push(posting)
    }
  }
  // A union guarantees no order.
  for (const list of postings) list.sort(byLength)
  return postings
}

/** A union of more selects takes SQLite and MySQL long to prepare. */
const atOnce = 20

function byLength(one: Posting, other: Posting): number {
  if (one.length !== other.length) return one.length - other.length
  return one.itemId < other.itemId ? 1 : -1
}

/**
 * How often items have these words, of those that are in the set and whose words are those of their present revision: each word that
 * one has none of is absent.
 * @throws Conflict when the list has other settings by now
 */
export async function readWords(
  db: Queries,
  { termsId, listId, configVersion }: Terms,
  { ids, words, set }: { ids: readonly string[]; words: readonly string[]; set: ItemSet },
): Promise<Map<string, Map<string, number>>> {
  const { activated } = set
  const conditions = conditionsOf(set).map(({ predicate }) => predicate('i.id'))
  if (activated !== null) conditions.push(sql`i.activated = ${Number(activated)}`)
  const rows =
    await db.all(sql`select d.item_id, t.term, t.frequency, l.config_version from lists l cross join item_terms d
    join items i on i.id = d.item_id
    join item_terms t on t.item_id = d.item_id and t.terms_id = d.terms_id and ${inList('t.term', words)}
    where l.id = ${listId} and ${inList('d.item_id', ids)} and d.terms_id = ${termsId} and d.term = '' and d.band = -i.revision
      and ${unindexed('i.list_id')} = l.id${joinSql(
        conditions.map((condition) => sql` and ${condition}`),
        '',
      )}`)
  const found = new Map<string, Map<string, number>>()
  for (const row of rows) {
    if (toNumber(row.config_version) !== configVersion) throw new Conflict('list')
    const itemId = toText(row.item_id)
    const frequencies = found.get(itemId) ?? new Map<string, number>()
    found.set(itemId, frequencies.set(toText(row.term), toNumber(row.frequency)))
  }
  return found
}
