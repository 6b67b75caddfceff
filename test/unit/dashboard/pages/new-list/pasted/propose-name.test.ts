import test from 'ava'
import { proposeName } from '#services/dashboard/pages/new-list/pasted/propose-name.ts'
import { observeSamples } from '#shared/json-schema/infer/observe.ts'

const name = (items: readonly object[], from: string | null = null) =>
  proposeName({ from }, observeSamples(items.map((item) => JSON.stringify(item))))

test('a list is named after the array that its items are in', (t) => {
  t.is(name([{}], 'recipes'), 'Recipes')
  t.is(name([{}], 'shoppingItems'), 'Shopping items')
})

test('else after what each item says it is', (t) => {
  t.is(name([{ type: 'recipe' }, { type: 'recipe' }], 'data'), 'Recipes')
  t.is(name([{ kind: 'category' }, { kind: 'category' }]), 'Categories')
  t.is(name([{ type: 'recipe' }, { type: 'drink' }]), 'My list')
})

test('else after an id of its own', (t) => {
  t.is(name([{ orderId: 'a' }, { orderId: 'b' }]), 'Orders')
  t.is(name([{ customerId: 'a' }, { customerId: 'a' }]), 'My list')
})
