import test from 'ava'
import { cachedToken } from '#services/gateway/auth/caches/cached-token.ts'
import type { ApiToken } from '#shared/domain/token/fields.ts'

const now = 1_700_000_000_000
const anyone = '192.0.2.1'

const live = (given: Partial<ApiToken> = {}) =>
  cachedToken({
    id: 'token',
    accountId: 'account',
    createdAt: now,
    updatedAt: now,
    name: 'ci',
    description: '',
    tags: [],
    permissions: [],
    ips: null,
    expiresAt: null,
    activated: true,
    locked: false,
    lastUsedAt: null,
    ...given,
  })

test('a token is live while it is active and not locked, before its end and from its networks', (t) => {
  t.is(cachedToken(null), null)
  t.true(live()?.isActive(now, anyone))
  t.false(live({ activated: false })?.isActive(now, anyone))
  t.false(live({ locked: true })?.isActive(now, anyone))
  t.true(live({ expiresAt: now + 1 })?.isActive(now, anyone))
  t.false(live({ expiresAt: now })?.isActive(now, anyone))
  t.true(live({ ips: ['192.0.2.0/24'] })?.isActive(now, anyone))
  t.false(live({ ips: ['192.0.2.0/24'] })?.isActive(now, '198.51.100.1'))
})

test('a use is noted a minute after the one that was noted before', (t) => {
  const token = live()
  t.deepEqual(
    [0, 1, 59_999, 60_000, 60_001].map((ms) => token?.use(now + ms)),
    [true, false, false, true, false],
  )
  t.false(live({ lastUsedAt: now - 59_999 })?.use(now))
  t.true(live({ lastUsedAt: now - 60_000 })?.use(now))
})
