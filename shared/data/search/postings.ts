import type { Candidate, Candidates, Posting, PostingList, Term } from '#shared/domain/search/ranking.ts'
import { toNumber, toText } from '../columns.ts'
import { Conflict } from '../conflict.ts'
import type { Queries } from '../database.ts'
import { conditionsOf, type ItemSet } from '../item-pages/item-set.ts'
import { beginsWith } from '../sql/begins-with.ts'
import { packedRows } from '../sql/packed-columns.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { inList, selectsAtOnce, unindexed } from '../sql/statements.ts'
import type { Terms } from './term-counts.ts'

/** The first items of each list, `size` at most, shortest first and then newest first. */
export async function readPostings(
  db: Queries,
  { termsId }: Terms,
  lists: readonly (Pick<PostingList, 'word' | 'band'> & { size: number })[],
): Promise<Posting[][]> {
  const postings = lists.map((): Posting[] => [])
  for (let start = 0; start < lists.length; start += selectsAtOnce) {
    const selects = lists.slice(start, start + selectsAtOnce).map(({ word, band, size }, n) => {
      const first = sql`select item_id, frequency, brevity from item_terms
        where terms_id = ${termsId} and term = ${word} and band = ${band}
        order by brevity desc, item_id desc limit ${raw(`${size}`)}`
      return packed.select(first, `${start + n} as list`)
    })
    for (const found of await db.all(joinSql(selects, ' union all '))) {
      const list = postings[toNumber(found.list)]
      for (const [itemId, frequency, brevity] of packed.unpack(found)) {
        list?.push({ itemId: toText(itemId), frequency: toNumber(frequency), length: -toNumber(brevity) })
      }
    }
  }
  // A union guarantees no order.
  for (const list of postings) list.sort(byLength)
  return postings
}

function byLength(one: Posting, other: Posting): number {
  if (one.length !== other.length) return one.length - other.length
  return one.itemId < other.itemId ? 1 : -1
}

const packed = packedRows(['item_id', 'frequency', 'brevity'])

export type WordsOf = {
  ids: readonly string[]
  terms: readonly Pick<Term, 'text' | 'isBeginning'>[]
  /** How many words each item has in all; null: these numbers are read too. */
  lengths: Candidates | null
}

/**
 * Items with their frequencies of terms. An item that no longer has these words is absent, or has the frequency 0 for all terms.
 */
export async function readWords(
  db: Queries,
  { termsId }: Terms,
  { ids, terms, lengths }: WordsOf,
): Promise<Candidate[]> {
  const ofItems = sql`select item_id, term, frequency from item_terms where ${inList('item_id', ids)} and terms_id = ${termsId}`
  const words = terms.filter(({ isBeginning }) => !isBeginning).map(({ text }) => text)
  const beginnings = terms.filter(({ isBeginning }) => isBeginning)
  const rows = await db.all(
    frequencies.select(
      joinSql(
        [
          // The row with the empty word has the length.
          sql`${ofItems} and ${inList('term', lengths ? words : ['', ...words])}`,
          ...beginnings.map(({ text }) => sql`${ofItems} and ${beginsWith('term', text)}`),
        ],
        ' union all ',
      ),
      '1 as n',
    ),
  )
  const found = new Map<string, { itemId: string; length: number; frequencies: number[] }>()
  for (const [id, word, count] of rows.flatMap(frequencies.unpack)) {
    const itemId = toText(id)
    const length = lengths?.get(itemId)?.length ?? 0
    const item = found.get(itemId) ?? { itemId, length, frequencies: terms.map(() => 0) }
    if (word === '') item.length = toNumber(count)
    else addFrequency(item.frequencies, terms, { word: toText(word), frequency: toNumber(count) })
    found.set(itemId, item)
  }
  return [...found.values()]
}

/** A word may equal one term and begin with another. */
function addFrequency(
  frequencies: number[],
  terms: readonly Pick<Term, 'text' | 'isBeginning'>[],
  { word, frequency }: { word: string; frequency: number },
): void {
  for (const [n, { text, isBeginning }] of terms.entries()) {
    if (!(isBeginning ? word.startsWith(text) : word === text)) continue
    frequencies[n] = Math.max(frequency, frequencies[n] ?? 0)
  }
}

const frequencies = packedRows(['item_id', 'term', 'frequency'])

/**
 * Which of these items are in a set and have words of their current revision.
 * @throws Conflict when the list has other settings by now
 */
export async function readItemsOfSet(
  db: Queries,
  { termsId, listId, configVersion }: Terms,
  { ids, set }: { ids: readonly string[]; set: ItemSet },
): Promise<Set<string>> {
  const { activated } = set
  const conditions = conditionsOf(set).map(({ predicate }) => predicate('i.id'))
  if (activated !== null) conditions.push(sql`i.activated = ${Number(activated)}`)
  const rows = await db.all(sql`select i.id, l.config_version from lists l cross join item_terms d
    join items i on i.id = d.item_id
    where l.id = ${listId} and ${inList('d.item_id', ids)} and d.terms_id = ${termsId} and d.term = ''
      and d.band = -i.revision and ${unindexed('i.list_id')} = l.id${joinSql(
        conditions.map((condition) => sql` and ${condition}`),
        '',
      )}`)
  if (rows.some((row) => toNumber(row.config_version) !== configVersion)) throw new Conflict('list')
  return new Set(rows.map(({ id }) => toText(id)))
}
