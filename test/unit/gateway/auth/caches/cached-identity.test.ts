import test from 'ava'
import { cachedIdentity } from '#services/gateway/auth/caches/cached-identity.ts'
import { defaultGroupSettings } from '#shared/domain/identity/group-fields.ts'

const start = 1_700_000_000_000
const seconds = (n: number) => n * 1_000

function live({ idle = null, activated = true }: { idle?: number | null; activated?: boolean } = {}) {
  return cachedIdentity({
    id: 'session',
    accountId: 'account',
    createdAt: start,
    expiresAt: start + seconds(604_800),
    lastUsedAt: start,
    identity: {
      id: 'ada',
      name: 'ada',
      displayName: 'Ada',
      tags: [],
      groupName: 'staff',
      groupIsAmbiguous: false,
      activated,
    },
    settings: { ...defaultGroupSettings, sessionIdleSeconds: idle },
  })
}

test('a session is live until its end', (t) => {
  t.true(live()?.isActive(start + seconds(604_800) - 1))
  t.false(live()?.isActive(start + seconds(604_800)))
})

test('a deactivated identity has no live sessions', (t) => {
  t.is(live({ activated: false }), null)
  t.is(cachedIdentity(null), null)
})

test('each use postpones the end of an idle session', (t) => {
  const session = live({ idle: 60 })
  for (let n = 1; n < 100; n++) {
    t.true(session?.isActive(start + seconds(59 * n)))
    session?.use(start + seconds(59 * n))
  }
  t.false(session?.isActive(start + seconds(59 * 99 + 67)))
})

test('a use is recorded for other processes a tenth of the idle time, or a minute, after the previous one', (t) => {
  for (const [idle, everySeconds] of [
    [100, 10],
    [5, 1],
    [86_400, 60],
    [null, 60],
  ] as const) {
    const session = live({ idle })
    t.false(session?.use(start + seconds(everySeconds) - 1))
    t.true(session?.use(start + seconds(everySeconds)))
    t.false(session?.use(start + seconds(everySeconds) + 1))
    t.true(session?.use(start + seconds(2 * everySeconds)))
  }
})
