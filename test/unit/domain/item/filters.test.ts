import test from 'ava'
import { fieldOf } from '#shared/domain/fields/values.ts'
import { itemFields } from '#shared/domain/item/fields.ts'
import {
  isFilteredField,
  isItemFilter,
  isItemOrder,
  itemFilterNames,
  itemFilters,
  itemOrderNames,
  itemOrders,
} from '#shared/domain/item/filters.ts'
import { readFieldFilter } from '#shared/domain/item/questions/field-filter.ts'
import { leavesOf } from '#shared/domain/item/questions/question.ts'

test('times and flags are descending by default, others ascending', (t) => {
  for (const name of itemOrderNames) {
    const { kind } = fieldOf(itemFields, name)
    t.is(itemOrders[name], kind === 'time' || kind === 'flag' ? 'desc' : 'asc', name)
  }
})

const values = {
  flag: 'true',
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  tags: 'a',
  date: '2026',
  text: 'a',
  number: '4',
}

test('a filter on a field matches the items with a value of this field', (t) => {
  const asked = itemFilterNames.filter(isFilteredField).flatMap((name) => {
    const read = readFieldFilter(name, values[itemFilters[name].kind])
    return 'error' in read ? [] : leavesOf([read]).map((leaf) => ('field' in leaf ? leaf.field : leaf.kind))
  })
  t.deepEqual(asked, ['id', 'readonly', 'activated', 'owner', 'tagged', 'createdAt', 'updatedAt', 'version', 'size'])
})

test('names of built-in object properties are neither filters nor orders', (t) => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    t.false(isItemFilter(name) || isFilteredField(name) || isItemOrder(name), name)
  }
})
