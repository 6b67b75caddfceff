import { maxCountedItems } from '#shared/domain/search/score.ts'
import { toNumber, toText } from '../columns.ts'
import type { Queries } from '../database.ts'
import { beginsWith } from '../sql/begins-with.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { selectsAtOnce } from '../sql/statements.ts'
import { bandsDown } from './bands.ts'
import type { Terms } from './term-counts.ts'

/** Maximum words with the beginning of a query's last word. */
const maxWords = 100
/** How many rows are read at a time to find words. */
const rowsAtOnce = 250

export type Beginning = {
  /** How many entries the words with this beginning have, up to 10,000. */
  holding: number
  /** The words, in order, with the bands that may have items. */
  words: { word: string; bands: number[] }[]
  /** Whether there are more words. */
  isTruncated: boolean
}

/** The words that begin with a text. */
export async function readBeginning(db: Queries, { termsId }: Terms, beginning: string): Promise<Beginning> {
  const counted = await db.get(sql`select count(*) as n from (select 1 from item_terms
    where terms_id = ${termsId} and ${beginsWith('term', beginning)} limit ${raw(`${maxCountedItems}`)}) as counted`)
  const found = await readWords(db, termsId, beginning)
  const words = found.slice(0, maxWords)
  const bands = await readBands(db, termsId, words)
  return {
    holding: toNumber(counted?.n ?? 0),
    words: words.map((word, n) => ({ word, bands: bands[n] ?? [] })),
    isTruncated: found.length > maxWords,
  }
}

/** The words, and one more if there are more. Of a word that many items have, only the first rows are read. */
async function readWords(db: Queries, termsId: number, beginning: string): Promise<string[]> {
  const words: string[] = []
  while (words.length <= maxWords) {
    const behind = beginsWith('term', beginning, words.at(-1))
    const rows = await db.all(sql`select term, count(*) as n from (select term from item_terms
      where terms_id = ${termsId} and ${behind} order by term limit ${raw(`${rowsAtOnce}`)}) as counted
      group by term order by term`)
    words.push(...rows.map(({ term }) => toText(term)))
    if (rows.reduce((sum, { n }) => sum + toNumber(n), 0) < rowsAtOnce) break
  }
  return words
}

/** The bands of each word, highest first: from that of its first row to that of its last. */
async function readBands(db: Queries, termsId: number, words: readonly string[]): Promise<number[][]> {
  const bands: number[][] = words.map(() => [])
  for (let start = 0; start < words.length; start += selectsAtOnce) {
    const selects = words.slice(start, start + selectsAtOnce).map((word, n) => {
      const end = (direction: 'asc' | 'desc') =>
        sql`select band from (select band from item_terms where terms_id = ${termsId} and term = ${word}
          order by band ${raw(direction)} limit 1) as found`
      return sql`select ${raw(`${start + n}`)} as word, min(band) as lowest, max(band) as highest
        from (${end('asc')} union all ${end('desc')}) as counted`
    })
    for (const { word, lowest, highest } of await db.all(joinSql(selects, ' union all '))) {
      if (lowest !== null) bands[toNumber(word)] = bandsDown(toNumber(highest), toNumber(lowest))
    }
  }
  return bands
}
