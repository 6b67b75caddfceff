import test from 'ava'
import { gt } from '#client/src/filters.ts'
import { type ItemFrame, type Question, take, type Window } from '#client/src/live/window.ts'

type Model = ItemFrame['model']

/** An item that was created at this second, which its id contains too. */
const item = (second: number, more: Partial<Model> = {}): Model =>
  ({
    id: `i-${second}`,
    createdAt: new Date(second * 1000).toISOString(),
    etag: '"1"',
    activated: true,
    data: { serves: second },
    ...more,
  }) as Model

const change = (model: Model, type = 'item-updated', revision = 2): ItemFrame => ({ type, revision, model })
const serves = {
  pointer: '/serves',
  valueType: 'number',
  alias: false,
  defaultOrderDirection: 'asc',
} as const
const indexes = new Map([['serves', serves]])
const windowOf = (seconds: number[], hasMore = false): Window => ({ items: seconds.map((one) => item(one)), hasMore })
const ids = ({ items }: Window) => items.map(({ id }) => Number(id.slice(2)))

/** Applies a change to a window. @returns the ids in the window afterwards, or `asks` if it must be read again */
function after(window: Window, frame: ItemFrame, question: Partial<Question> & { fields?: string } = {}) {
  return take(window, { limit: 3, ...question }, frame, indexes) ? 'asks' : ids(window)
}

test('a new item goes to its place in the order, and the last one is removed beyond the limit', (t) => {
  const window = windowOf([9, 7])
  t.deepEqual(after(window, change(item(8), 'item-created', 1)), [9, 8, 7])
  t.false(window.hasMore)
  t.deepEqual(after(window, change(item(10), 'item-created', 1)), [10, 9, 8])
  t.true(window.hasMore)
  t.deepEqual(after(windowOf([1, 3]), change(item(2), 'item-created', 1), { direction: 'asc' }), [1, 2, 3])
  t.deepEqual(after(windowOf([1, 3]), change(item(2), 'item-created', 1), { order: 'serves' }), [1, 2, 3])
})

test('equal items are in the order of their ids', (t) => {
  const [a, b, c] = ['i-1', 'i-2', 'i-3'].map((id) => item(5, { id })) as [Model, Model, Model]
  t.deepEqual(after({ items: [c, a], hasMore: false }, change(b)), [3, 2, 1])
  t.deepEqual(after({ items: [a, c], hasMore: false }, change(b), { order: 'serves' }), [1, 2, 3])
})

test('a change is applied once, and an older one not at all', (t) => {
  const window = windowOf([9, 8])
  t.deepEqual(after(window, change(item(8, { etag: '"3"', data: 'new' }), 'item-updated', 3)), [9, 8])
  const { items } = window
  after(window, change(item(8, { data: 'old' })))
  t.is(window.items, items)
  t.deepEqual(after(window, change(item(8, { data: 'again' }), 'item-updated', 3)), [9, 8])
  t.is(window.items, items)
})

test('an item is removed when it is deleted or no longer matches; if there are more, the next one is requested', (t) => {
  t.deepEqual(after(windowOf([9, 8]), change(item(8), 'item-deleted')), [9])
  t.deepEqual(after(windowOf([9, 8]), change(item(8)), { where: { serves: gt(8) } }), [9])
  t.is(after(windowOf([9, 8, 7], true), change(item(8), 'item-deleted')), 'asks')
  t.deepEqual(after(windowOf([9, 8, 7], true), change(item(1), 'item-deleted')), [9, 8, 7])
})

test('an item after the last one is not shown if there are more; if a shown item moves there, the page is read to replace it', (t) => {
  t.deepEqual(after(windowOf([9, 8, 7], true), change(item(6))), [9, 8, 7])
  const moved = item(8, { createdAt: new Date(0).toISOString() })
  t.is(after(windowOf([9, 8, 7], true), change(moved)), 'asks')
})

test('a change that cannot be judged here causes a request', (t) => {
  t.is(after(windowOf([9]), change(item(8, { activated: false }))), 'asks')
  t.is(after(windowOf([9]), change(item(8, { dataOmitted: true }))), 'asks')
  t.is(after(windowOf([9]), change(item(8)), { fields: '/title' }), 'asks')
  t.is(after(windowOf([9]), change(item(8)), { order: 'size' }), 'asks')
  t.is(after(windowOf([9]), change(item(8, { data: {} })), { order: 'serves' }), 'asks')
  t.is(after(windowOf([9]), change(item(8)), { where: { search: 'soup' } }), 'asks')
  t.is(after(windowOf([9]), change(item(8)), { where: { activated: 'any' } }), 'asks')
  t.deepEqual(after(windowOf([9]), change(item(8, { activated: false })), { where: { activated: true } }), [9])
})
