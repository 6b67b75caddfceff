import test from 'ava'
import { checkRetention } from '#services/supervisor/doctor/database/retention.ts'

const hour = 3_600_000
const now = 1_000 * hour
const runs = (events: number | null, deliveries: number | null) =>
  [
    { what: 'events', begunAt: events === null ? null : now - events * hour },
    { what: 'deliveries', begunAt: deliveries === null ? null : now - deliveries * hour },
  ] as const

test('retention keeps up if its last runs began within hours', (t) => {
  t.deepEqual(checkRetention(runs(3, 1), now), [{ state: 'ok', message: 'expired data is deleted' }])
  t.deepEqual(checkRetention(runs(null, 0), now), [{ state: 'ok', message: 'no run has ended yet' }])
})

test('the doctor reports data that is not deleted in time, for how long and what to do', (t) => {
  const found = checkRetention(runs(3.1, 1.9), now)
  t.deepEqual(
    found.map(({ state, message }) => `${state}: ${message}`),
    [
      'note: the last run that deleted all expired events began 3 hours ago',
      'note: the last run that deleted all expired deliveries began 1 hour ago',
    ],
  )
  t.true(found.every(({ fix }) => fix?.includes('Disk that grows')))
  t.is(checkRetention(runs(null, 1.9), now).length, 1)
})
