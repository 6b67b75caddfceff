import test from 'ava'
import { laterThan } from '#shared/domain/later-than.ts'

test('a change is later than the previous one, even if the clock is set back or stops', (t) => {
  t.is(laterThan({ updatedAt: 100 }, 200), 200)
  t.is(laterThan({ updatedAt: 100 }, 100), 101)
  t.is(laterThan({ updatedAt: 100 }, 50), 101)
})
