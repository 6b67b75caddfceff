import test from 'ava'
import { proposeName } from '#services/dashboard/pages/new-list/pasted/propose-name.ts'
import { observeSamples } from '#shared/json-schema/infer/observe.ts'

const name = (items: readonly object[], from: string | null = null) =>
  proposeName({ from }, observeSamples(items.map((item) => JSON.stringify(item))))

test('a list is named after the array that contains its items', (t) => {
  t.is(name([{}], 'recipes'), 'Recipes')
  t.is(name([{}], 'shoppingItems'), 'Shopping items')
})

test('otherwise after the type or kind that its items share', (t) => {
  t.is(name([{ type: 'recipe' }, { type: 'recipe' }], 'data'), 'Recipes')
  t.is(name([{ kind: 'category' }, { kind: 'category' }]), 'Categories')
  t.is(name([{ type: 'recipe' }, { type: 'drink' }]), 'My list')
})

test('otherwise after an id that differs between the items', (t) => {
  t.is(name([{ orderId: 'a' }, { orderId: 'b' }]), 'Orders')
  t.is(name([{ customerId: 'a' }, { customerId: 'a' }]), 'My list')
})
