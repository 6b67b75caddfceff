import { limitExceeded, stepsBeyond } from '#shared/domain/plan/limit-exceeded.ts'
import type { Queries } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import type { ItemChange } from './item-change.ts'
import { withStates } from './list-counters.ts'
import { RefusedChange } from './refused-change.ts'

/**
 * The changes of a unit that go beyond what the plan of their account allows, as the lists are now. An account without limits sends no
 * statement.
 */
export async function findBeyondLimits(db: Queries, unit: readonly ItemChange[]): Promise<RefusedChange[]> {
  const steps = stepsOf(unit)
  if (steps.length === 0) return []
  const byList = Map.groupBy(steps, ({ listId }) => listId)
  const rows = await db.all<{ id: string; item_count: number }>(
    sql`select id, item_count from lists where ${inList('id', [...byList.keys()])}`,
  )
  return rows.flatMap(({ id, item_count: count }) => beyondItems(byList.get(id) ?? [], count))
}

/** A change of a list with a limit: its index, and how many items it adds. */
type LimitedStep = { change: number; listId: string; added: number; max: number }

function stepsOf(unit: readonly ItemChange[]): LimitedStep[] {
  return withStates(unit).flatMap(({ change: { list, after, limits }, before }, n) => {
    const max = limits?.maxItemsPerList ?? null
    return max === null
      ? []
      : [{ change: n, listId: list.id, added: Number(Boolean(after)) - Number(Boolean(before)), max }]
  })
}

function beyondItems(steps: readonly LimitedStep[], count: number): RefusedChange[] {
  const added = steps.map((step) => step.added)
  const max = steps[0]?.max ?? null
  return stepsBeyond(added, { count, max }).map((n) => {
    const { name, details = {} } = limitExceeded('maxItemsPerList', max ?? 0)
    return new RefusedChange(steps[n]?.change ?? 0, name, { details })
  })
}
