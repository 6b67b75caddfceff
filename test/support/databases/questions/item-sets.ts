import { type ItemSet, visibleItems } from '#shared/data/item-pages/item-set.ts'
import type { ItemPageRequest } from '#shared/data/item-pages/page.ts'
import type { ItemOrder } from '#shared/domain/item/filters.ts'
import type { KeySet } from '#shared/domain/item/questions/key-filter.ts'

export const all = { kind: 'all' } as const
export const byId = (rest: boolean) =>
  ({ kind: 'byId', byId: { regardlessOfOwner: { rest, except: ['a', 'b'] }, owned: null } }) as const

const own = { kind: 'own', identityId: 'ada' } as const

type RequestOptions = { order?: ItemOrder; after?: string; direction?: 'asc' | 'desc'; page?: number }
export const pageRequest = ({ order = 'createdAt', direction = 'desc', ...position }: RequestOptions) =>
  ({ limit: 20, order, direction, filters: '', page: 1, ...position }) as ItemPageRequest

/** Sets whose pages are read in index order. */
export const indexedSets: [claim: string, set: (listId: string) => ItemSet, orders: ItemOrder[]][] = [
  ['all items', (id) => visibleItems(id, all, null), ['createdAt', 'updatedAt']],
  ['the activated ones', (id) => visibleItems(id, all, true), ['createdAt', 'updatedAt']],
  ['the readonly ones', (id) => ({ ...visibleItems(id, all, null), readonly: true }), ['createdAt', 'updatedAt']],
  ['all but some', (id) => visibleItems(id, byId(true), true), ['createdAt', 'updatedAt']],
  ['all, and own drafts', (id) => ({ ...visibleItems(id, all, null), drafts: own }), ['createdAt', 'updatedAt']],
  ['all, and some drafts', (id) => ({ ...visibleItems(id, all, null), drafts: byId(true) }), ['createdAt']],
  ['own ones', (id) => visibleItems(id, own, true), ['createdAt']],
  ['those of an owner', (id) => ({ ...visibleItems(id, all, null), ownerIds: ['ada'] }), ['createdAt']],
  ['tagged ones', (id) => ({ ...visibleItems(id, all, true), tagged: [['a']] }), ['createdAt']],
  [
    'those with one of some tags',
    (id) => ({ ...visibleItems(id, all, true), tagged: [['a', 'b', 'c']] }),
    ['createdAt'],
  ],
  ['those with two tags', (id) => ({ ...visibleItems(id, all, null), tagged: [['a'], ['b']] }), ['createdAt']],
]

/** The index whose entries `addManyItems` writes, with filters on it whose items are read in the order of its values. */
export const valueSets: [claim: string, set: (listId: string) => ItemSet][] = [
  ['all items', (id) => visibleItems(id, all, null)],
  ['the activated ones', (id) => visibleItems(id, all, true)],
  ['all but some', (id) => visibleItems(id, byId(true), true)],
  ['those with one value', (id) => withValues(id, { kind: 'any-of', keys: ['x'] })],
  ['those with one of some values', (id) => withValues(id, { kind: 'any-of', keys: ['w', 'x', 'y'] })],
  ['those with a range of values', (id) => withValues(id, { kind: 'range', min: 'w', end: 'y' })],
  ['those with at least a value', (id) => withValues(id, { kind: 'range', min: 'x', end: null })],
]

function withValues(listId: string, keys: KeySet): ItemSet {
  return { ...visibleItems(listId, all, null), values: [{ indexId: listId, keys, texts: [] }] }
}

/** A page in the order of the values of the index that `addManyItems` writes. */
export function valuePageRequest(listId: string, options: Omit<RequestOptions, 'order'>): ItemPageRequest {
  return { ...pageRequest(options), order: listId, orderIndex: listId } as ItemPageRequest
}
