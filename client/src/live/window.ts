import type { Item } from '../types/resources.ts'
import { type IndexTable, judge, orderKey } from './judge.ts'

// biome-ignore lint/suspicious/noExplicitAny: data are what the caller says they are
type AnyItem = Item<any>

/** The question that a page answers. */
export type Question = {
  where?: object | undefined
  order?: string | undefined
  direction?: 'asc' | 'desc' | undefined
  limit: number
}

/** The first items of a question, in order, and whether there are more. */
export type Window = { items: readonly AnyItem[]; hasMore: boolean }

/** A change of an item, as the stream reports it. For a deleted item, the model has at least its id. */
export type ItemFrame = { type: string; revision: number; model: AnyItem & { dataOmitted?: true } }

/**
 * Applies a change to a window.
 * @returns whether the page must be read again, because its new rows are not known
 */
export function take(
  window: Window,
  question: Question,
  { type, revision, model }: ItemFrame,
  indexes: IndexTable,
): boolean {
  const { items, hasMore } = window
  const old = items.find(({ id }) => id === model.id)
  if (old && Number(/\d+/.exec(`${old.etag}`)) >= revision) return false
  const others = items.filter((one) => one !== old)
  const isShown = type !== 'item-deleted' && passes(question, model, indexes)
  if (isShown === false) {
    if (old) window.items = others
    return hasMore && !!old
  }
  const place = isShown ? placeOf(question, model, others, indexes) : undefined
  if (place === undefined) return true
  // The client does not know the items after the last one.
  if (hasMore && place === others.length) return !!old
  window.hasMore ||= others.length >= question.limit
  window.items = [...others.slice(0, place), model, ...others.slice(place)].slice(0, question.limit)
  return false
}

function passes(
  { where = {}, order: _, direction: _ignored, limit: _bound, ...choice }: Question,
  model: ItemFrame['model'],
  indexes: IndexTable,
): boolean | undefined {
  const { activated } = where as { activated?: boolean | 'any' }
  // The stream sends whole items, and the visibility of drafts depends on the caller.
  if (model.dataOmitted || Object.keys(choice)[0] || (activated ?? (model.activated || 'any')) === 'any')
    return undefined
  return judge(where, model, indexes)
}

/** The position of an item among others, with equal keys by id; undefined: unknown to the client. */
function placeOf(
  { order = 'createdAt', direction }: Question,
  item: AnyItem,
  others: readonly AnyItem[],
  indexes: IndexTable,
): number | undefined {
  const isDown = (direction ?? indexes.get(order)?.defaultOrderDirection ?? 'desc') === 'desc'
  const keys = [item, ...others].map((one) => orderKey(one, order, indexes))
  const own = keys.shift()
  if (own === undefined || keys.includes(undefined)) return undefined
  const place = others.findIndex((other, n) => (own - Number(keys[n]) || (item.id < other.id ? -1 : 1)) < 0 !== isDown)
  return place < 0 ? others.length : place
}
