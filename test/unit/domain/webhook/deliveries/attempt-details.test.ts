import test from 'ava'
import { keptHeaders, phasesOf } from '#shared/domain/webhook/deliveries/attempt-details.ts'

const connecting = { startedAt: 10, resolvedAt: 12.4, connectedAt: 20, securedAt: 41.3, isPlain: false }

test('each phase lasts from the end of the previous one to its own end', (t) => {
  const whole = phasesOf({ connecting, sentAt: 42, headAt: 100, endedAt: 120 })
  t.deepEqual(whole, { dnsMs: 2, connectMs: 8, tlsMs: 21, waitMs: 58 })
})

test('an unfinished phase lasts until the end of the attempt, and those after it are null', (t) => {
  const never = { sentAt: null, headAt: null, endedAt: 1_010 }
  const none = { resolvedAt: null, connectedAt: null, securedAt: null }
  const at = (reached: Partial<typeof connecting>) =>
    phasesOf({ ...never, connecting: { ...connecting, ...none, ...reached } })
  t.deepEqual(at({}), { dnsMs: 1_000, connectMs: null, tlsMs: null, waitMs: null })
  t.deepEqual(at({ resolvedAt: 20 }), { dnsMs: 10, connectMs: 990, tlsMs: null, waitMs: null })
  t.deepEqual(at({ resolvedAt: 20, connectedAt: 30 }), { dnsMs: 10, connectMs: 10, tlsMs: 980, waitMs: null })
  const silent = phasesOf({ connecting, sentAt: 50, headAt: null, endedAt: 1_010 })
  t.like(silent, { tlsMs: 21, waitMs: 960 })
})

test('a reused connection has only a waiting phase, and plain http has no TLS phase', (t) => {
  const kept = phasesOf({ connecting: null, sentAt: 10, headAt: 25, endedAt: 30 })
  t.deepEqual(kept, { dnsMs: null, connectMs: null, tlsMs: null, waitMs: 15 })
  const plain = { ...connecting, securedAt: null, isPlain: true }
  t.deepEqual(phasesOf({ connecting: plain, sentAt: 42, headAt: 43, endedAt: 50 }).tlsMs, null)
})

test('five headers are kept, with at most 1 KiB in all', (t) => {
  const headers = { 'set-cookie': ['a=1'], server: 'nginx', location: ['/a', '/b'], 'retry-after': '5', 'x-other': 'x' }
  t.deepEqual(keptHeaders(headers), { location: '/a, /b', 'retry-after': '5', server: 'nginx' })
  const long = keptHeaders({ location: 'é'.repeat(5_000), server: 'nginx' })
  t.true(Buffer.byteLength(Object.values(long).join('')) <= 1_024)
  t.deepEqual(Object.keys(long), ['location'])
  t.deepEqual(keptHeaders({}), {})
})
