import test from 'ava'
import { readKeyFilter } from '#shared/domain/item/questions/key-filter.ts'
import { readFieldLeaf, readIndexLeaf } from '#shared/domain/item/questions/where-leaf.ts'
import type { ListIndex, ValueType } from '#shared/domain/list/index-fields.ts'

const index = (valueType: ValueType) => ({ valuesId: 'I', valueType }) as ListIndex
const errorOf = (read: object) => ('error' in read ? read.error : undefined)

test('a number is the same as its text in a parameter, however large it is', (t) => {
  for (const [number, text] of [
    ['4', '4'],
    ['-1.5e-7', '-1.5e-7'],
    ['1e400', 'eq:1e400'],
    ['-1e400', 'eq:-1e400'],
  ] as const) {
    const leaf = readIndexLeaf(index('number'), JSON.parse(number))
    t.deepEqual(leaf, { kind: 'value', indexId: 'I', ...readKeyFilter('number', text) } as typeof leaf, number)
  }
  t.is(errorOf(readFieldLeaf('size', JSON.parse('1e400'))), undefined)
})

test('a condition of another type is an error that names the allowed types', (t) => {
  t.is(errorOf(readIndexLeaf(index('number'), true)), 'must be a string, a number or null, not boolean')
  t.is(errorOf(readIndexLeaf(index('date'), 5)), 'must be a string or null, not number')
  t.is(errorOf(readFieldLeaf('size', false)), 'must be a string, a number or null, not boolean')
  t.is(errorOf(readFieldLeaf('readonly', 1)), 'must be a string, true or false, not number')
  t.is(errorOf(readFieldLeaf('version', true)), 'must be a string or null, not boolean')
})
