import { type CountLimit, limitExceeded, stepsBeyond } from '#shared/domain/plan/limit-exceeded.ts'
import type { Queries } from '../../database.ts'
import { sql } from '../../sql/sql.ts'
import { inList } from '../../sql/statements.ts'
import type { ItemChange } from '../item-change.ts'
import { addedBytes, addedItems, withStates } from '../list-counters.ts'
import { readStoredBytes } from '../stored-bytes.ts'
import { RejectedChange } from './rejected-change.ts'

/**
 * The changes of a unit that exceed the limits of their account's plan, by the current state of its lists. An account without limits sends
 * no statement.
 */
export async function findBeyondLimits(db: Queries, unit: readonly ItemChange[]): Promise<RejectedChange[]> {
  if (unit.every(({ limits }) => limits === null)) return []
  const states = withStates(unit).map(({ change, before }, n) => ({ n, change, before }))
  const items = Map.groupBy(
    limited(states, 'maxItemsPerList', ({ before, change: { after } }) => addedItems(before, after)),
    ({ change }) => change.list.id,
  )
  const bytes = Map.groupBy(
    limited(states, 'maxStorageBytes', ({ before, change: { after } }) => addedBytes(before, after)),
    ({ change }) => change.accountId,
  )
  const beyondItems = [...(await countItems(db, [...items.keys()]))].flatMap(([id, count]) =>
    rejections('maxItemsPerList', items.get(id) ?? [], count),
  )
  const beyondBytes = [...bytes].map(async ([accountId, steps]) =>
    rejections('maxStorageBytes', steps, await readStoredBytes(db, accountId)),
  )
  return [...beyondItems, ...(await Promise.all(beyondBytes)).flat()]
}

type State = { n: number } & ReturnType<typeof withStates>[number]

/** A change with a limit: its position in the unit, and the amount that it adds. */
type LimitedStep = { n: number; change: ItemChange; added: number; max: number }

function limited(
  states: readonly State[],
  limit: 'maxItemsPerList' | 'maxStorageBytes',
  addedBy: (state: State) => number,
): LimitedStep[] {
  return states.flatMap((state) => {
    const { n, change } = state
    const max = change.limits?.[limit] ?? null
    return max === null ? [] : [{ n, change, added: addedBy(state), max }]
  })
}

async function countItems(db: Queries, listIds: readonly string[]): Promise<Map<string, number>> {
  if (listIds.length === 0) return new Map()
  const rows = await db.all<{ id: string; item_count: number }>(
    sql`select id, item_count from lists where ${inList('id', listIds)}`,
  )
  return new Map(rows.map((row) => [row.id, row.item_count]))
}

function rejections(limit: CountLimit, steps: readonly LimitedStep[], count: number): RejectedChange[] {
  const max = steps[0]?.max ?? null
  const added = steps.map((step) => step.added)
  return stepsBeyond(added, { count, max }).map((n) => {
    const { name, details = {} } = limitExceeded(limit, max ?? 0)
    return new RejectedChange(steps[n]?.n ?? 0, name, { details })
  })
}
