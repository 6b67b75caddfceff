import test from 'ava'
import { keysIn, schemeIn } from '#services/dashboard/api/preference-values.ts'

test('the colours follow the system unless light or dark was chosen', (t) => {
  t.is(schemeIn({ scheme: 'dark' }), 'dark')
  t.is(schemeIn({ scheme: 'light' }), 'light')
  for (const scheme of [undefined, null, 'blue', 1, {}]) t.is(schemeIn({ scheme }), null)
})

test('single-key shortcuts are on unless they are switched off', (t) => {
  t.false(keysIn({ keys: false }))
  for (const keys of [undefined, true, null, 'no']) t.true(keysIn({ keys }))
})
