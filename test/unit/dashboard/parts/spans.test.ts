import test from 'ava'
import { spanStart } from '#services/dashboard/parts/spans.ts'

test('a time span ends now, and an empty one has no beginning', (t) => {
  const now = Date.parse('2026-03-02T10:00:00.000Z')
  t.is(spanStart('24h', now), '2026-03-01T10:00:00.000Z')
  t.is(spanStart(undefined, now), undefined)
  t.is(spanStart('', now), undefined)
})
