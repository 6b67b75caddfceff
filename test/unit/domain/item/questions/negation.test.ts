import test from 'ava'
import { isEmptyFilter, readNegation } from '#shared/domain/item/questions/negation.ts'

test('every second not: before a filter undoes the previous one', (t) => {
  t.deepEqual(readNegation('not:not:not:eq:not:'), { isNot: true, rest: 'eq:not:' })
})

test('a filter is empty without anything after not:', (t) => {
  for (const source of ['', 'not:', 'not:not:']) t.true(isEmptyFilter(source), source)
  for (const source of ['eq:', 'not:eq:', 'null', 'not', ' ']) t.false(isEmptyFilter(source), source)
})
