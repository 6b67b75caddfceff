import type { Index } from '#client/src/types/resources.ts'
import { type ItemOrder, itemOrderNames, itemOrders as ownDirections } from '#shared/domain/item/filters.ts'
import { buildProblem } from './filters.ts'

/** An order of the items of a list. */
export type ItemsOrder = {
  /** Its name in the API: `createdAt`, or `index.title`. */
  name: string
  label: string
  /** The two directions, the default one first. */
  directions: readonly [ItemsDirection, ItemsDirection]
  /** Why this order is not available now. */
  problem?: string
  /** The pointer of an index: where its values are in the data. */
  pointer?: string
}

export type ItemsDirection = { value: 'asc' | 'desc'; label: string }

/** Most items that the server sorts by a field without an index. */
export const mostSorted = 10_000

/** The orders of a list with these indexes; an unavailable one has a `problem`. @param itemCount items to order; 0: not known */
export function itemOrders(indexes: readonly Index[], itemCount: number): ItemsOrder[] {
  const tooMany = itemCount > mostSorted ? { problem: 'only up to 10,000 items can be ordered this way' } : {}
  return [
    ...times.map(ownOrder),
    ...indexes.filter(({ guard }) => !guard).map(indexOrder),
    ...itemOrderNames.filter((name) => !times.includes(name)).map((name) => ({ ...ownOrder(name), ...tooMany })),
  ]
}

/** The fields that the server keeps in order. */
const times: readonly ItemOrder[] = ['createdAt', 'updatedAt']

function ownOrder(name: ItemOrder): ItemsOrder {
  const { label, desc, asc } = labels[name]
  const both = [down(desc), up(asc)] as const
  return { name, label, directions: ownDirections[name] === 'desc' ? both : [both[1], both[0]] }
}

type Labels = { label: string; desc: string; asc: string }

const flag = (label: string): Labels => ({ label, desc: `${capital(label)} first`, asc: `${capital(label)} last` })
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

const labels: Readonly<Record<ItemOrder, Labels>> = {
  createdAt: { label: 'created', desc: 'Newest', asc: 'Oldest' },
  updatedAt: { label: 'changed', desc: 'Last changed', asc: 'Longest unchanged' },
  size: { label: 'size', desc: 'Largest', asc: 'Smallest' },
  readonly: flag('readonly'),
  activated: flag('activated'),
  locked: flag('locked'),
}

const up = (label: string): ItemsDirection => ({ value: 'asc', label })
const down = (label: string): ItemsDirection => ({ value: 'desc', label })

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
