import { valueAt } from '#shared/json/pointer.ts'
import { indexTrialLimits, lengths } from '../limits.ts'
import type { ListIndex } from '../list/index-fields.ts'
import { hasValue, indexValues } from './index-value.ts'
import type { Item } from './item.ts'

/** The preview of an index: the values that it would contain (contract 2.3). */
export type IndexTrial = {
  /** The number of items examined. */
  items: number
  /** The number of these without a value in the index. */
  missing: number
  /** Some values; long ones are cut. */
  sample: { itemId: string; value: string | number }[]
  /** Values that several items share, with some of these items. They cannot be aliases, because an alias addresses only one item. */
  duplicates: { value: string; itemIds: string[] }[]
}

/** Collects the values that an index would contain, item by item. */
export function createIndexTrial(index: ListIndex): {
  add(item: Pick<Item, 'id' | 'data'>): void
  result(): IndexTrial
} {
  let [items, missing] = [0, 0]
  const sample: IndexTrial['sample'] = []
  const holders = new Map<string, string[]>()
  const { maxShown } = indexTrialLimits

  return {
    add({ id, data }) {
      items++
      const parsed: unknown = JSON.parse(data)
      if (!indexValues([index], parsed).values.some(hasValue)) missing++
      else if (sample.length < maxShown) sample.push({ itemId: id, value: shown(valueAt(parsed, index.pointer)) })
      const alias = indexValues([{ ...index, alias: true }], parsed).values[0]?.aliasText
      if (alias == null) return
      const ids = holders.get(alias)
      if (!ids) holders.set(alias, [id])
      else if (ids.length < maxShown) ids.push(id)
    },
    result() {
      const several = [...holders].filter(([, ids]) => ids.length > 1).slice(0, maxShown)
      return { items, missing, sample, duplicates: several.map(([value, itemIds]) => ({ value, itemIds })) }
    },
  }
}

function shown(value: unknown): string | number {
  return typeof value === 'number' ? value : String(value).slice(0, lengths.filterKey)
}
