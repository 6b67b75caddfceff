import type { Index } from '#client/src/types/resources.ts'
import { naming } from '../lists/item-title.ts'

/** Whether an index can be asked now. */
export const isUsable = ({ activated, buildStatus }: Index) => activated && buildStatus === 'ready'

/** Conditions that one question has for it. */
const mostConditions = 4

/** The filters by which items are found by name: the members that name things come first. */
export function conditionNames(indexes: readonly Index[]): string[] {
  const usable = indexes.filter((index) => isUsable(index) && !index.guard && index.valueType === 'string')
  const rank = ({ pointer }: Index) => (naming.includes(pointer.slice(1)) ? 0 : 1)
  const filters = usable.filter(({ filtering }) => filtering).sort((one, other) => rank(one) - rank(other))
  const alias = usable.some((index) => index.alias) ? ['alias'] : []
  return [...alias, ...filters.map(({ pathName }) => `index.${pathName}`)].slice(0, mostConditions)
}
