import test from 'ava'
import { createIndexTrial } from '#shared/domain/item/index-trial.ts'
import type { IndexBody } from '#shared/domain/list/index-fields.ts'
import { newIndex } from '#shared/domain/list/index-settings.ts'

function trial(body: IndexBody, values: readonly unknown[]) {
  const index = newIndex({ pathName: 'x', pointer: '/x', ...body }, { id: 'i', accountId: 'a', listId: 'l', at: 0 })
  const collected = createIndexTrial(index)
  for (const [n, value] of values.entries()) {
    collected.add({ id: `item-${n}`, data: JSON.stringify(value === undefined ? {} : { x: value }) })
  }
  return collected.result()
}

test('items without a value of the type are reported as missing', (t) => {
  t.like(trial({}, ['a', 1, null, undefined, ['a']]), {
    items: 5,
    missing: 3,
    sample: [{ itemId: 'item-0', value: 'a' }],
  })
  t.like(trial({ valueType: 'number' }, ['a', 1]), { missing: 1, sample: [{ itemId: 'item-1', value: 1 }] })
  t.like(trial({ valueType: 'date' }, ['a', '2026-01-01']), { missing: 1 })
})

test('an alias accepts text and numbers, and anything else is reported as missing', (t) => {
  t.like(trial({ alias: true }, ['a', 1, 'x'.repeat(1_025)]), { items: 3, missing: 1 })
})

test('duplicates are values that would be the same alias, with their items', (t) => {
  t.deepEqual(trial({}, ['a', 'b', 'a', 7, '7', 'A']).duplicates, [
    { value: 'a', itemIds: ['item-0', 'item-2'] },
    { value: '7', itemIds: ['item-3', 'item-4'] },
  ])
})

test('at most ten values, duplicates and items of each are shown; long values are cut', (t) => {
  const many = Array.from({ length: 40 }, (_, n) => `v${n % 20}`)
  const { sample, duplicates } = trial({}, ['x'.repeat(3_000), ...many])
  t.is(sample.length, 10)
  t.is(String(sample[0]?.value).length, 1_024)
  t.is(duplicates.length, 10)
  t.is(trial({}, Array(30).fill('same')).duplicates[0]?.itemIds.length, 10)
})
