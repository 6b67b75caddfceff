import test from 'ava'
import { readiness } from '#shared/ops/readiness.ts'

test('a process is ready when all its checks pass', async (t) => {
  t.deepEqual(await readiness({ database: async () => 'ok', nats: async () => 'ok' }), {
    status: 'ok',
    checks: { database: 'ok', nats: 'ok' },
  })
  t.is((await readiness({})).status, 'ok')
})

test('a degraded check degrades, a failed one fails, and each is named', async (t) => {
  const degraded = await readiness({ database: async () => 'ok', nats: async () => 'degraded' })
  t.deepEqual(degraded, { status: 'degraded', checks: { database: 'ok', nats: 'degraded' } })
  const full = await readiness({ database: async () => ({ degraded: 'disk full' }) })
  t.deepEqual(full, { status: 'degraded', checks: { database: { degraded: 'disk full' } } })
  const failed = await readiness({ database: async () => ({ failed: 'schema too old' }), nats: async () => 'degraded' })
  t.deepEqual(failed, { status: 'failed', checks: { database: { failed: 'schema too old' }, nats: 'degraded' } })
})

test('the error of a check is not shown', async (t) => {
  const result = await readiness({
    database: () => Promise.reject(new Error('connect ECONNREFUSED db.internal:5432')),
  })
  t.deepEqual(result, { status: 'failed', checks: { database: { failed: 'not reachable' } } })
})

test('a check that hangs fails when its time is over', async (t) => {
  const result = await readiness({ database: () => new Promise(() => {}) }, 10)
  t.deepEqual(result, { status: 'failed', checks: { database: { failed: 'no answer in time' } } })
})
