import { stringify } from '#client/src/json.ts'
import type { ReportedChange } from '#shared/domain/sync/plan-words.ts'

/** The changes of a plan to one list: of the list itself, if there is one, and of its indexes. */
export type PlanGroup<C extends ReportedChange> = { list: string; changes: C[] }

/** The changes of a plan by list, in the order of the plan. Unchanged entries are left out, unless they have a warning. */
export function groupsOf<C extends ReportedChange>(changes: readonly C[]): PlanGroup<C>[] {
  const reported = changes.filter(({ action, warnings = [] }) => action !== 'no-change' || warnings.length > 0)
  return [...Map.groupBy(reported, ({ list }) => list)].map(([list, ofList]) => ({ list, changes: ofList }))
}

/** A key of the list or index of a change: it is the same in other plans. */
export const changeKey = ({ list, index = '' }: Pick<ReportedChange, 'list' | 'index'>): string => `${list}/${index}`

/** The difference between a plan and the one that was shown before. */
export type PlanDifference<C> = {
  /** By key: changes that are new, or that differ from before. */
  now: ReadonlyMap<string, 'new' | 'changed'>
  /** Changes that are no longer in the plan. */
  gone: C[]
}

export function planDifference<C extends ReportedChange>(before: readonly C[], after: readonly C[]): PlanDifference<C> {
  const earlier = new Map(before.filter(isChange).map((change) => [changeKey(change), change]))
  const now = new Map<string, 'new' | 'changed'>()
  for (const change of after.filter(isChange)) {
    const key = changeKey(change)
    const same = earlier.get(key)
    earlier.delete(key)
    if (!same) now.set(key, 'new')
    else if (stringify(same) !== stringify(change)) now.set(key, 'changed')
  }
  return { now, gone: [...earlier.values()] }
}

const isChange = ({ action }: ReportedChange) => action !== 'no-change'
