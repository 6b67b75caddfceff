import { firstIdAt } from '#shared/domain/id.ts'
import type { Sql } from '../dialect.ts'
import { raw, sql } from '../sql/sql.ts'
import { after, comparePositions, type SeekPosition } from './cursor.ts'
import type { PagePart } from './keyset.ts'
import type { Direction, OrderKey } from './page.ts'

/** A part of rows in their order: after `from`, or from the beginning, up to and including `to`, or to the end. */
export type Stretch<K extends OrderKey = OrderKey> = Pick<PagePart<K>, 'direction' | 'from'> & {
  to: SeekPosition<K> | null
}

/** Positions between which all rows of a set are, whatever the direction; no row is at one of them. Null: no bound. */
export type Bounds<K extends OrderKey = OrderKey> = { lowest: SeekPosition<K> | null; highest: SeekPosition<K> | null }

/**
 * The bounds of rows whose ids alone are their order: ids begin with the time of creation.
 * @param times the earliest and the latest creation, in epoch milliseconds
 */
export function idBounds({ startAt, endAt }: { startAt?: number; endAt?: number }): Bounds<null> {
  return {
    lowest: startAt === undefined ? null : { key: null, id: firstIdAt(startAt) },
    highest: endAt === undefined ? null : { key: null, id: firstIdAt(endAt + 1) },
  }
}

/**
 * The stretch narrowed to the bounds. A separate condition for a bound would not do: SQLite reads a range from one of two bounds on
 * the same side, perhaps from the wider one.
 */
export function narrowed<K extends OrderKey>({ direction, from, to }: Stretch<K>, bounds: Bounds<K>): Stretch<K> {
  const { lowest, highest } = bounds
  const [begin, end] = direction === 'asc' ? [lowest, highest] : [highest, lowest]
  const isBefore = (one: SeekPosition, other: SeekPosition) => comparePositions(one, other, direction) < 0
  return {
    direction,
    from: from && begin ? (isBefore(from, begin) ? begin : from) : (from ?? begin),
    to: to && end ? (isBefore(to, end) ? to : end) : (to ?? end),
  }
}

/**
 * The condition that a row is in a stretch, to append to others.
 * @param row SQL expressions for the key and the id; a key of null: the ids alone are the order
 */
export function within({ key, id }: { key: string | null; id: string }, { direction, from, to }: Stretch): Sql {
  const opposite: Direction = direction === 'asc' ? 'desc' : 'asc'
  const [behind, upTo] = direction === 'asc' ? ['>', '<='] : ['<', '>=']
  if (key === null) {
    const begin = from ? sql` and ${raw(`${id} ${behind} `)}${from.id}` : raw('')
    return to ? sql`${begin} and ${raw(`${id} ${upTo} `)}${to.id}` : begin
  }
  const begin = from ? sql` and ${after({ key, id, direction }, from)}` : raw('')
  return to ? sql`${begin} and ${after({ key, id, direction: opposite }, to, { inclusive: true })}` : begin
}
