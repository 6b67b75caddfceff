import { stringify } from '#client/src/json.ts'
import type { ReportedChange } from '#shared/domain/sync/plan-words.ts'

/** What a plan does to one list: the list's own change, if it has one, and those of its indexes. */
export type PlanGroup<C extends ReportedChange> = { list: string; changes: C[] }

/** A plan by its lists, in its order; what stays as it is is left out, unless there is a warning about it. */
export function groupsOf<C extends ReportedChange>(changes: readonly C[]): PlanGroup<C>[] {
  const reported = changes.filter(({ action, warnings = [] }) => action !== 'no-change' || warnings.length > 0)
  return [...Map.groupBy(reported, ({ list }) => list)].map(([list, ofList]) => ({ list, changes: ofList }))
}

/** The same list or index in another plan has the same key. */
export const changeKey = ({ list, index = '' }: Pick<ReportedChange, 'list' | 'index'>): string => `${list}/${index}`

/** How a plan differs from the one that was shown before. */
export type PlanDifference<C> = {
  /** By key: what is new, or another change than before. */
  now: ReadonlyMap<string, 'new' | 'changed'>
  /** Changes that are no longer applied. */
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
