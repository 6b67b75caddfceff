import test from 'ava'
import { checkBanner, checkLimits, checkVersion } from '#services/supervisor/doctor/nats.ts'

test('nats-server 2.10 and later are good, and 2.9 is sufficient', (t) => {
  const states = (versions: string[]) => new Set(versions.map((version) => checkVersion(version, 'here').state))
  t.deepEqual(states(['2.10.0', '2.10.27', '2.15.1', '3.0.0-RC.1']), new Set(['ok']))
  t.deepEqual(states(['2.9.0', '2.9.10']), new Set(['note']))
  t.deepEqual(states(['2.8.4', '1.4.1', '']), new Set(['wrong']))
})

test('a configured server must greet as NATS does and have JetStream', (t) => {
  const nats = { url: 'nats://127.0.0.1', tls: false }
  const greeting = (info: object) => checkBanner(`INFO ${JSON.stringify(info)}`, nats)
  t.like(greeting({ version: '2.10.1', jetstream: true }), { length: 1, 0: { state: 'ok' } })
  t.like(greeting({ version: '2.10.1' }), {
    length: 1,
    0: { state: 'wrong', message: 'the NATS server at 127.0.0.1:4222 has no JetStream' },
  })
  t.like(greeting({ version: '2.8.0', jetstream: true }), { 0: { state: 'wrong' } })
  for (const text of [null, '', 'SSH-2.0']) {
    t.like(checkBanner(text, nats), { length: 1, 0: { message: 'no NATS server answers at 127.0.0.1:4222' } })
  }
})

test('on another machine NATS should require authentication and encryption', (t) => {
  const notes = (nats: { url: string; tls?: boolean }, info: object = {}) =>
    checkBanner(`INFO ${JSON.stringify({ version: '2.12.0', jetstream: true, ...info })}`, { tls: false, ...nats })
      .filter(({ state }) => state === 'note')
      .map(({ message }) => /requires no credentials|not encrypted/.exec(message)?.[0])
  const asks = { auth_required: true }
  t.deepEqual(notes({ url: 'nats://nats:4222' }), ['requires no credentials', 'not encrypted'])
  t.deepEqual(notes({ url: 'nats://nats:4222' }, asks), ['not encrypted'])
  for (const url of ['nats://localhost', 'nats://127.0.0.1:4222', 'nats://[::1]']) t.deepEqual(notes({ url }), [])
  t.deepEqual(notes({ url: 'tls://nats' }, asks), [])
  t.deepEqual(notes({ url: 'nats://nats', tls: true }, asks), [])
  t.deepEqual(notes({ url: 'nats://nats' }, { ...asks, tls_required: true }), [])
})

test('permissions that services need and NATS does not grant are wrong', (t) => {
  const wide = { maxPayload: 1_048_576, clustered: true, freeStorage: Number.POSITIVE_INFINITY, neededStorage: 2 ** 26 }
  const wrongs = (limits: Partial<typeof wide> | { freeStorage: null }, replicas = 1) =>
    checkLimits({ ...wide, ...limits }, { replicas }).map(({ message }) => message)
  t.deepEqual(wrongs({}, 3), [])
  t.deepEqual(wrongs({ freeStorage: 0, neededStorage: 0 }), [])
  t.deepEqual(wrongs({ maxPayload: 1_000 }), ['messages may have at most 1000 bytes'])
  t.deepEqual(wrongs({ freeStorage: null }), ['this user may not use JetStream'])
  t.deepEqual(wrongs({ freeStorage: 2 ** 27 }, 3), ['JetStream has 128 MiB left; listd needs 192 MiB'])
  t.deepEqual(wrongs({ clustered: false }, 3), ['nats.replicas is 3, but the server is not in a cluster'])
})
