import test from 'ava'
import { checksOf, failedHealth } from '#services/dashboard/pages/settings/health.ts'

test('each check has a name for people, with its result in words', (t) => {
  const checks = { database: 'ok', nats: 'degraded', clock: { degraded: '3 s ahead' }, disk: { failed: 'is full' } }
  t.deepEqual(checksOf({ status: 'failed', checks }), [
    { name: 'disk', state: 'failed', text: 'has failed: is full' },
    { name: 'Messages between processes (NATS)', state: 'degraded', text: 'works in part' },
    { name: 'Clock', state: 'degraded', text: 'works in part: 3 s ahead' },
    { name: 'Database', state: 'ok', text: 'works' },
  ])
})

test('the details of the response name the failed checks of a server that cannot serve', (t) => {
  const checks = { database: { failed: 'not reachable' } }
  t.deepEqual(failedHealth({ checks }), { status: 'failed', checks })
  for (const details of [undefined, {}, { checks: 'x' }]) t.is(failedHealth(details), null)
})
