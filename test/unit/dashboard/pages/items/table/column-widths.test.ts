import test from 'ava'
import { readWidths, withWidth } from '#services/dashboard/pages/items/table/column-widths.ts'

test('a column width that a viewer sets is kept for its list, within bounds, until automatic width is restored', (t) => {
  const one = withWidth([], { listId: 'a', column: '/title', rem: 12 })
  t.deepEqual(one, [['a', { '/title': 12 }]])
  const both = withWidth(withWidth(one, { listId: 'b', column: 'id', rem: 0.1 }), {
    listId: 'a',
    column: '/x',
    rem: 900,
  })
  t.deepEqual(both, [
    ['b', { id: 3 }],
    ['a', { '/title': 12, '/x': 60 }],
  ])
  t.deepEqual(withWidth(both, { listId: 'b', column: 'id', rem: null }), [['a', { '/title': 12, '/x': 60 }]])
})

test('widths of 50 lists with 100 columns each are kept, and the least recently changed are dropped', (t) => {
  let kept = readWidths(null)
  for (let n = 0; n < 51; n++) kept = withWidth(kept, { listId: `l${n}`, column: 'id', rem: 5 })
  t.is(kept.length, 50)
  t.is(kept[0]?.[0], 'l1')
  for (let n = 0; n < 101; n++) kept = withWidth(kept, { listId: 'l50', column: `/${n}`, rem: 5 })
  t.deepEqual(Object.keys(kept.at(-1)?.[1] ?? {}).slice(0, 1), ['/1'])
})

test('stored widths that are not understood are ignored', (t) => {
  const text = JSON.stringify([['a', { id: 5 }], ['b', { id: 'wide' }], ['c', { id: 1e9 }], ['d'], 5, null])
  t.deepEqual(readWidths(text), [['a', { id: 5 }]])
  for (const broken of ['{', '5', '{"a":1}']) t.deepEqual(readWidths(broken), [])
})
