import { maxCountedItems } from '#shared/domain/search/score.ts'
import { toNumber } from '../columns.ts'
import { Conflict } from '../conflict.ts'
import type { Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { selectsAtOnce } from '../sql/statements.ts'
import { bandsDown } from './bands.ts'

/** The list that is searched, the version of its settings, and what the words of its items are stored under. */
export type Terms = { listId: string; configVersion: number; termsId: number }

/**
 * The numbers by which words are weighted: the list's items, and the mean number of words of an item. Or the progress of the build of
 * its words, in items.
 */
export type TextCounts = { items: number; meanLength: number } | { building: { done: number; total: number } }

/** @throws Conflict when the list is gone */
export async function readTextCounts(db: Queries, { listId, termsId }: Terms): Promise<TextCounts> {
  const row = await db.get(sql`select l.item_count, b.done, b.total, p.texts, p.words from lists l
    left join term_builds b on b.terms_id = ${termsId}
    left join (select count(*) as texts, sum(frequency) as words from (select frequency from item_terms
      where terms_id = ${termsId} and term = '' order by band desc, brevity desc, item_id desc limit ${raw(`${measured}`)}) as counted
    ) p on 1 = 1 where l.id = ${listId}`)
  if (!row) throw new Conflict('list')
  if (row.done !== null) return { building: { done: toNumber(row.done), total: toNumber(row.total) } }
  return { items: toNumber(row.item_count), meanLength: Math.max(toNumber(row.words) / toNumber(row.texts) || 0, 1) }
}

/** How many items the mean length is computed from: those with the fewest revisions, and of these the newest. */
const measured = 1_000

/** How many items have a word, up to 10,000, and the bands that they are in, best first; some bands may have no items. */
export type TermCount = { holding: number; bands: number[] }

/** The counts of words, in their order. */
export async function countTerms(db: Queries, { termsId }: Terms, words: readonly string[]): Promise<TermCount[]> {
  const counts: TermCount[] = []
  for (let start = 0; start < words.length; start += selectsAtOnce) {
    const selects = words.slice(start, start + selectsAtOnce).map((word, n) => countOf(termsId, word, start + n))
    for (const row of await db.all(joinSql(selects, ' union all '))) counts[toNumber(row.word)] = toCount(row)
  }
  return counts
}

/** Counts the items in the highest bands. If more items have the word, all lower bands may have some. */
function countOf(termsId: number, word: string, n: number): Sql {
  return sql`select ${raw(`${n}`)} as word, count(*) as items, min(band) as lowest, max(band) as highest
    from (select band from item_terms where terms_id = ${termsId} and term = ${word}
      order by band desc limit ${raw(`${maxCountedItems}`)}) as counted`
}

function toCount({ items, lowest, highest }: Row): TermCount {
  const holding = toNumber(items)
  if (holding === 0) return { holding, bands: [] }
  const [first, last] = [toNumber(highest), holding < maxCountedItems ? toNumber(lowest) : 1]
  return { holding, bands: bandsDown(first, last) }
}
