import type { Queries } from '../database.ts'
import { type DeliverySet, type Stretch, walkedRanges } from './delivery-ranges.ts'
import { type Head, readHeads } from './delivery-reads.ts'

/** The rows that a call may still look at; a walk takes from it. */
export type RowBudget = { left: number }

/** A first round of few rows answers most questions; each later one has as many more. */
const [firstRows, growth] = [1_000, 4]

/**
 * Goes through the deliveries of a set in the order of their ids, whatever filters pass, in stretches of a known number of rows.
 * The last stretch has no end (`to` is null); a walk without it has used up the budget.
 *
 * A round asks each range where its next rows end, and the nearest of these ends is the end of the stretch: up to there every range
 * is known to hold few rows. One that has no more rows leaves the walk. Deliveries that wait are not counted: `webhooks.maxWaiting`
 * bounds them.
 */
export async function* walkDeliveries(
  db: Queries,
  set: DeliverySet,
  { direction, from, budget }: Pick<Stretch, 'direction' | 'from'> & { budget: RowBudget },
): AsyncGenerator<Stretch> {
  let ranges = walkedRanges(set)
  let position = from
  for (let rows = firstRows; ; rows *= growth) {
    if (budget.left < Math.max(ranges.length, 1)) return
    const each = Math.max(1, Math.floor(Math.min(rows, budget.left) / Math.max(ranges.length, 1)))
    const heads = await readHeads(db, ranges, { direction, from: position, each })
    for (const head of heads.values()) budget.left -= head.rows
    ranges = ranges.filter((range) => heads.get(range)?.rows === each)
    const to = nearest(
      [...heads.values()].filter((head) => head.rows === each),
      direction,
    )
    yield { direction, from: position, to }
    if (to === null) return
    position = { key: null, id: to }
  }
}

function nearest(heads: readonly Head[], direction: Stretch['direction']): string | null {
  const ends = heads.map(({ last }) => last).sort()
  return (direction === 'asc' ? ends[0] : ends.at(-1)) ?? null
}
