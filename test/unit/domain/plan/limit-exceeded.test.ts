import test from 'ava'
import { assertWithin, isBeyond, limitExceeded, stepsBeyond } from '#shared/domain/plan/limit-exceeded.ts'

test('a limit can be reached, but not exceeded', (t) => {
  t.false(isBeyond({ count: 2, added: 1, max: 3 }))
  t.true(isBeyond({ count: 3, added: 1, max: 3 }))
  t.true(isBeyond({ count: 0, added: 1, max: 0 }))
  t.false(isBeyond({ count: 1_000_000, added: 1, max: null }))
})

test('a value beyond a limit may stay, change and shrink, but not grow', (t) => {
  t.deepEqual(
    [-1, 0, 1].map((added) => isBeyond({ count: 9, added, max: 3 })),
    [false, false, true],
  )
})

test('the error says which limit it is, and its number', (t) => {
  const error = t.throws(() => assertWithin('maxLists', { count: 3, added: 1, max: 3 }))
  t.like(error, { name: 'MAX_LISTS_EXCEEDED', code: 10_021, status: 403, details: { limit: 'maxLists', max: 3 } })
  t.notThrows(() => assertWithin('maxLists', { count: 3, added: 0, max: 3 }))
  const names = (['maxItemsPerList', 'maxIndexesPerList', 'maxTokens', 'maxIdentities'] as const).map((limit) => {
    const { name, code } = limitExceeded(limit, 1)
    return [name, code]
  })
  t.deepEqual(names, [
    ['MAX_ITEMS_EXCEEDED', 10_009],
    ['MAX_INDEXES_EXCEEDED', 10_022],
    ['MAX_TOKENS_EXCEEDED', 10_023],
    ['MAX_IDENTITIES_EXCEEDED', 10_024],
  ])
})

test('if a change is applied at once, the steps that exceed the limit are rejected', (t) => {
  t.deepEqual(stepsBeyond([1, 1, 1, 1], { count: 1, max: 3 }), [2, 3])
  t.deepEqual(stepsBeyond([1, 0, -1, 1, 1], { count: 3, max: 3 }), [0, 3, 4])
})

test('a change that is within the limit as a whole may exceed it in between', (t) => {
  t.deepEqual(stepsBeyond([1, -1], { count: 3, max: 3 }), [])
  t.deepEqual(stepsBeyond([1, 1, -1, -1], { count: 9, max: 3 }), [])
  t.deepEqual(stepsBeyond([1, 1], { count: 9, max: null }), [])
})
