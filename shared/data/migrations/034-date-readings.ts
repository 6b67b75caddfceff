import { maxDateLength } from '#shared/domain/text/date.ts'
import { valueAt } from '#shared/json/pointer.ts'
import type { Transaction } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import { computeEntries, nextEntries, positionAt, readTogether, writeEntries } from './026-array-elements.ts'
import type { Batch, Moved } from './migration.ts'

/**
 * Dates that are read in another way from here on: leap seconds and long fractions have become dates, times in zones that do not exist
 * are none any more (shared/json-schema/formats/iso-time.ts). The items of every index on dates are read, and of those that have such a
 * date the entry is written anew. Code of the version before goes on reading such dates as it did: what it writes meanwhile gets its
 * entry when it is written next, or by a rebuild of the index.
 */
export async function rereadDates(tx: Transaction, { after, limit }: Batch): Promise<Moved> {
  const next = { from: positionAt(after), limit: Math.min(limit, readTogether) }
  const found = await nextEntries(tx, next, { indexes: sql`value_type = 'date'`, entries: sql`item_id is not null` })
  if (!found) return { rows: 0, after: null }
  const { index, ids, position } = found
  const applies = (data: unknown) => [valueAt(data, index.pointer)].flat().some(isReadAnew)
  const entries = ids.length > 0 ? await computeEntries(tx, { index, ids, applies }) : []
  if (entries.length > 0) {
    const changed = entries.map(({ item }) => item.id)
    await tx.run(sql`delete from index_elements where ${inList('item_id', changed)} and index_id = ${index.valuesId}`)
    await writeEntries(tx, index, entries)
  }
  // An index without such items is a step, too.
  return { rows: Math.max(1, ids.length), after: JSON.stringify(position) }
}

/** Whether a text may be a date that is read in another way; one that is read as before does no harm. */
function isReadAnew(value: unknown): boolean {
  return typeof value === 'string' && (value.length > maxDateLength || readAnew.test(value))
}

/** Second 60, an hour of a zone past 23, a minute of a zone past 59. */
const readAnew = /:(?:60|\d\d(?:[.,]\d+)?[+-](?:2[4-9]|[3-9]\d|\d\d:?[6-9]))/
