import test from 'ava'
import { keysIn, schemeIn, viewsIn, withViews } from '#services/dashboard/api/preference-values.ts'

test('the colours are those of the system unless light or dark was chosen', (t) => {
  t.is(schemeIn({ scheme: 'dark' }), 'dark')
  t.is(schemeIn({ scheme: 'light' }), 'light')
  for (const scheme of [undefined, null, 'blue', 1, {}]) t.is(schemeIn({ scheme }), null)
})

test('single keys do something unless they are switched off', (t) => {
  t.false(keysIn({ keys: false }))
  for (const keys of [undefined, true, null, 'no']) t.true(keysIn({ keys }))
})

test('named views are kept by list, in their order; what is no view is passed over', (t) => {
  const soups = { name: 'Soups', query: 'title=starts:soup' }
  const kept = { views: { recipes: [soups, { name: '', query: '' }, { name: 'x' }, null, 7], notes: 'x' } }
  t.deepEqual(viewsIn(kept, 'recipes'), [soups])
  for (const list of ['notes', 'others']) t.deepEqual(viewsIn(kept, list), [])
  for (const views of [undefined, null, [], 'x']) t.deepEqual(viewsIn({ views }, 'recipes'), [])
})

test('views of one list are replaced, and those of others stay', (t) => {
  const view = { name: 'All', query: '' }
  const now = { views: { recipes: [view], notes: [view] } }
  const next = { name: 'Next', query: 'page=2' }
  t.deepEqual(withViews(now, 'recipes', [view, next]), { views: { notes: [view], recipes: [view, next] } })
  t.deepEqual(withViews(now, 'recipes', []), { views: { notes: [view] } })
  t.deepEqual(withViews({}, 'recipes', [view]), { views: { recipes: [view] } })
})
