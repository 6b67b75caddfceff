import type { Index } from '#client/src/types/resources.ts'
import { buildProblem } from './filters.ts'

/** An order of the items of a list. */
export type ItemsOrder = {
  /** As the API names it: `createdAt`, or `index.title`. */
  name: string
  label: string
  /** What the two directions are called, the one of the order itself first. */
  directions: readonly [ItemsDirection, ItemsDirection]
  /** Why the items cannot be ordered so now. */
  problem?: string
  /** Where the values are in the data, of an index. */
  pointer?: string
}

export type ItemsDirection = { value: 'asc' | 'desc'; label: string }

/** The server sorts so many items by a field that has no index. */
export const mostSorted = 10_000

/** The orders of a list with these indexes; what cannot be used says why. @param itemCount of the list, or what a filter leaves */
export function itemOrders(indexes: readonly Index[], itemCount: number): ItemsOrder[] {
  const tooMany = itemCount > mostSorted ? { problem: 'only up to 10,000 items can be ordered so' } : {}
  return [
    { name: 'createdAt', label: 'created', directions: [down('Newest'), up('Oldest')] },
    { name: 'updatedAt', label: 'changed', directions: [down('Last changed'), up('Longest unchanged')] },
    ...indexes.filter(({ guard }) => !guard).map(indexOrder),
    { name: 'size', label: 'size', directions: [up('Smallest'), down('Largest')], ...tooMany },
    ...['readonly', 'activated', 'locked'].map((name) => flagOrder(name, tooMany)),
  ]
}

const up = (label: string): ItemsDirection => ({ value: 'asc', label })
const down = (label: string): ItemsDirection => ({ value: 'desc', label })

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

function flagOrder(name: string, problem: { problem?: string }): ItemsOrder {
  return { name, label: name, directions: [down(`${capital(name)} first`), up(`${capital(name)} last`)], ...problem }
}

function indexOrder(index: Index): ItemsOrder {
  const { pathName, pointer, valueType, sorting, defaultOrderDirection } = index
  const [lower, higher] = { string: ['A to Z', 'Z to A'], number: ['lowest', 'highest'], date: ['earliest', 'latest'] }[
    valueType
  ] as [string, string]
  const both = [up(`${pathName}, ${lower}`), down(`${pathName}, ${higher}`)] as const
  const problem = sorting ? buildProblem(index) : 'its index does not sort'
  return {
    name: `index.${pathName}`,
    label: pathName,
    pointer,
    directions: defaultOrderDirection === 'asc' ? both : [both[1], both[0]],
    ...(problem === undefined ? {} : { problem }),
  }
}
