import test from 'ava'
import { Conflict } from '#shared/data/conflict.ts'
import type { Step } from '#shared/data/drivers/apply-writes.ts'
import { itemWrites } from '#shared/data/items/commit/item-writes.ts'
import type { ItemChange } from '#shared/data/items/item-change.ts'
import { itemChange, testItem } from '../../../../support/databases/contents/rows.ts'

const at = { accountId: 'a', listId: 'l' }

function updated(itemId: string, from: number, change: Partial<ItemChange> = {}): ItemChange {
  return itemChange(at, { itemId, expectedRevision: from, after: testItem(at, itemId, from + 1), ...change })
}

/** The table that a step writes, or the kind of the step. */
function subjectOf(step: Step): string {
  if ('insert' in step) return step.insert.table
  if ('remove' in step) return `remove ${step.remove.table}`
  if ('update' in step) return `update ${step.update.table}`
  return 'insertFound' in step
    ? `of ${step.insertFound.keys}`
    : (Object.keys(step).find((key) => key !== 'lock') ?? 'lock')
}

const atMost = (maxItemsPerList: number) => ({ maxItemsPerList, maxStorageBytes: null })
const countersOf = (changes: ItemChange[]) =>
  itemWrites(changes).flatMap((step) => ('update' in step ? step.update.rows : []))

test('items are locked before lists, lists before accounts, and counts of events last', (t) => {
  const restored = itemChange(at, { itemId: 'r', after: testItem(at, 'r', 3) })
  t.deepEqual(itemWrites([updated('i', 1), restored]).map(subjectOf), [
    'remove items',
    'items',
    'item_tags',
    'index_values',
    'events',
    'holds',
    'update lists',
    'of a',
    'event_count_shards',
  ])
})

test('several changes of one item remove its first revision, leave its last state, and each add an event', (t) => {
  const gone = updated('i', 2, { after: null })
  const steps = itemWrites([updated('i', 1), gone])
  const rows = steps.map((step) => ('remove' in step ? step.remove.rows : 'insert' in step ? step.insert.values : null))
  t.deepEqual(rows[0], [{ id: 'i', revision: 1 }])
  t.deepEqual(rows[1], [], 'no item')
  t.deepEqual(
    (rows[4] ?? []).filter((value) => value === 'item'),
    ['item', 'item'],
  )
})

test('a change of an item that is not based on the previous one in the unit is a conflict, with its index', (t) => {
  const error = t.throws(() => itemWrites([updated('i', 1), itemChange(at), updated('i', 1)]), { instanceOf: Conflict })
  t.is(error?.change, 2)
})

test('the counters of a list get the difference between the first state of each item and its last', (t) => {
  const off = { ...testItem(at, 'i', 2), activated: false }
  t.deepEqual(countersOf([updated('i', 1, { after: off })]), [['l', 1, 0, 1, 0]])
  t.deepEqual(countersOf([updated('i', 1, { after: null, before: { activated: false, size: 16 } })]), [
    ['l', 1, -1, -1, -16],
  ])
  t.deepEqual(countersOf([updated('i', 1, { after: off }), updated('i', 2)]), [['l', 1, 0, 0, 0]])
  const other = itemChange({ ...at, listId: 'm' })
  t.deepEqual(countersOf([itemChange(at), other]), [
    ['l', 1, 1, 0, 16],
    ['m', 1, 1, 0, 16],
  ])
})

test('the item limit of a list is part of the statement only if a list with a limit grows', (t) => {
  const columnsOf = (changes: ItemChange[]) =>
    itemWrites(changes).flatMap((step) => ('update' in step ? Object.keys(step.update.columns) : []))
  const [open, limited] = [itemChange(at), itemChange({ ...at, listId: 'm' }, { limits: atMost(3) })]
  t.deepEqual(columnsOf([open]), ['id', 'version', 'items', 'deactivated', 'bytes'])
  t.deepEqual(columnsOf([updated('i', 1, { limits: atMost(3) })]), columnsOf([open]))
  t.deepEqual(countersOf([open, limited]), [
    ['l', 1, 1, 0, 16, Number.MAX_SAFE_INTEGER],
    ['m', 1, 1, 0, 16, 3],
  ])
})

test('the row of an account is locked, after its lists, only if its plan limits its bytes and its data grow', (t) => {
  const limits = { maxItemsPerList: null, maxStorageBytes: 100 }
  const locksOf = (changes: ItemChange[]) =>
    itemWrites(changes).flatMap((step) => ('holds' in step && step.lock ? [step.lock.id] : []))
  const b = { accountId: 'b', listId: 'm' }
  t.deepEqual(locksOf([itemChange(b, { limits }), itemChange(at, { limits }), itemChange(at)]), ['a', 'b'])
  t.deepEqual(locksOf([updated('i', 1, { limits }), updated('j', 1, { limits, after: null })]), [])
  t.deepEqual(
    itemWrites([itemChange(at, { limits })])
      .map(subjectOf)
      .slice(-4),
    ['update lists', 'holds', 'of a', 'event_count_shards'],
  )
})
