import type { Index } from '#client/src/types/resources.ts'
import { naming } from '../lists/item-title.ts'

/** Whether an index can be used now. */
export const isUsable = ({ activated, buildStatus }: Index) => activated && buildStatus === 'ready'

/** Conditions of one search at most. */
const mostConditions = 4

/** The filters that find items by name. The alias is first, followed by the indexes on naming members. */
export function conditionNames(indexes: readonly Index[]): string[] {
  const usable = indexes.filter((index) => isUsable(index) && !index.guard && index.valueType === 'string')
  const rank = ({ pointer }: Index) => (naming.includes(pointer.slice(1)) ? 0 : 1)
  const filters = usable.filter(({ filtering }) => filtering).sort((one, other) => rank(one) - rank(other))
  const alias = usable.some((index) => index.alias) ? ['alias'] : []
  return [...alias, ...filters.map(({ pathName }) => `index.${pathName}`)].slice(0, mostConditions)
}
