import test from 'ava'
import { jsonDifferences } from '#shared/json/compare/differences.ts'

test('differences are named by pointers, arrays as a whole', (t) => {
  const from = { same: [1], tags: ['a'], 'a/b': { '~': 1 }, gone: null, kind: {} }
  const to = { same: [1], tags: ['b'], 'a/b': { '~': 2 }, kind: 'text', more: 0 }
  t.deepEqual(jsonDifferences(from, to), [
    { pointer: '/tags', from: ['a'], to: ['b'] },
    { pointer: '/a~1b/~0', from: 1, to: 2 },
    { pointer: '/gone', from: null, to: undefined },
    { pointer: '/kind', from: {}, to: 'text' },
    { pointer: '/more', from: undefined, to: 0 },
  ])
  t.deepEqual(jsonDifferences('a', 'b'), [{ pointer: '', from: 'a', to: 'b' }])
  t.deepEqual(jsonDifferences({ a: 1 }, { a: 1 }), [])
})

test('a property with the name of a built-in one is compared like any other', (t) => {
  t.deepEqual(jsonDifferences({}, { constructor: 1 }), [{ pointer: '/constructor', from: undefined, to: 1 }])
})
