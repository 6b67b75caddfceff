import test from 'ava'
import { ordersOf } from '#shared/data/pages/orders.ts'
import type { Fields } from '#shared/domain/fields/field.ts'

const petFields = {
  bornAt: { kind: 'time', nullable: true, about: 'When it was born.' },
  isTame: { kind: 'flag', about: 'Whether it may be stroked.' },
  name: { kind: 'text', max: 20, about: 'Its name.' },
  weight: { kind: 'integer', about: 'Its weight, in grams.' },
  size: { kind: 'choice', of: ['small', 'big'], about: 'Its size.' },
} as const satisfies Fields

test('times and flags are descending by default, other orders ascending; texts and choices are ordered by text', (t) => {
  const orders = ordersOf(petFields, {
    bornAt: { key: 'born_at', optional: { present: 'born_at > 0', missing: 'born_at is null' } },
    isTame: 'is_tame',
    name: 'name_key',
    weight: 'weight',
    size: 'size',
  })
  const facts = Object.entries(orders).map(([name, { key, direction, isText }]) => [name, key, direction, isText])
  t.deepEqual(orders.bornAt.optional, { present: 'born_at > 0', missing: 'born_at is null' })
  t.is(orders.weight.optional, undefined)
  t.deepEqual(facts, [
    ['bornAt', 'born_at', 'desc', false],
    ['isTame', 'is_tame', 'desc', false],
    ['name', 'name_key', 'asc', true],
    ['weight', 'weight', 'asc', false],
    ['size', 'size', 'asc', true],
  ])
})
