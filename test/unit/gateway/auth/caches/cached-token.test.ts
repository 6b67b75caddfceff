import test from 'ava'
import { cachedToken } from '#services/gateway/auth/caches/cached-token.ts'
import type { ApiToken } from '#shared/domain/token/fields.ts'

const now = 1_700_000_000_000
const anyone = '192.0.2.1'

const live = (given: Partial<ApiToken> = {}) =>
  cachedToken(
    {
      id: 'token',
      accountId: 'account',
      createdAt: now,
      updatedAt: now,
      name: 'ci',
      description: '',
      tags: [],
      permissions: [],
      ruleIndexes: [],
      ips: null,
      expiresAt: null,
      rateLimit: null,
      activated: true,
      locked: false,
      lastUsedAt: null,
      ...given,
      plan: 'small',
    },
    { limitsOf: () => null, ratesOf: () => null },
  )

test('a token is rejected with the reason when it is deactivated, locked, expired or used from another address', (t) => {
  t.is(cachedToken(null, { limitsOf: () => null, ratesOf: () => null }), null)
  t.is(live()?.rejection(now, anyone), null)
  t.is(live({ activated: false })?.rejection(now, anyone), 'The API token is deactivated.')
  t.is(live({ locked: true })?.rejection(now, anyone), 'The API token is locked.')
  t.is(live({ expiresAt: now + 1 })?.rejection(now, anyone), null)
  t.is(live({ expiresAt: now })?.rejection(now, anyone), 'The API token has expired.')
  t.is(live({ ips: ['192.0.2.0/24'] })?.rejection(now, anyone), null)
  const elsewhere = 'The API token may not be used from 198.51.100.1.'
  t.is(live({ ips: ['192.0.2.0/24'] })?.rejection(now, '198.51.100.1'), elsewhere)
})

test('a use is recorded a minute after the previously recorded one', (t) => {
  const token = live()
  t.deepEqual(
    [0, 1, 59_999, 60_000, 60_001].map((ms) => token?.use(now + ms)),
    [true, false, false, true, false],
  )
  t.false(live({ lastUsedAt: now - 59_999 })?.use(now))
  t.true(live({ lastUsedAt: now - 60_000 })?.use(now))
})
