import test from 'ava'
import { startRetention } from '#services/identity/retention.ts'
import { putOneTimeToken } from '#shared/data/identities/one-time-tokens.ts'
import { countLoginAttempt } from '#shared/data/sign-in/login-attempts.ts'
import { createLogger } from '#shared/log/logger.ts'
import { until } from '../../../support/assertions/until.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { makeIdentity, makeSession } from '../../../support/identity/identities.ts'

test('only expired sessions, failed logins and one-time tokens are deleted, however many', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId } = await makeAccount(db)
  const { identityId: id, displayName, token } = await makeIdentity(db, { accountId })
  const times = { blocked_until: 0, forget_at: 1 }
  const counted = () => db.all('select login_key from login_attempts')
  await countLoginAttempt(db, { key: ['new'], now: Date.now() })
  const recent = await counted()
  for (let n = 0; n < 1_200; n += 300) {
    const old = Array.from({ length: 300 }, (_, m) => ({ login_key: `old ${n + m}` }))
    await db.run(db.build('login_attempts').insert(old.map((key) => ({ ...key, failures: 1, ...times }))))
  }
  for (const [tokenHash, expiresAt] of [
    ['expired', Date.now() - 1],
    ['live', Date.now() + 3_600_000],
  ] as const) {
    const token = { identityId: tokenHash, accountId, kind: 'reset', tokenHash, createdAt: 0, expiresAt } as const
    await putOneTimeToken(db, token)
  }
  for (let n = 0; n < 3; n++) await makeSession(db, { id, accountId, group: null, displayName })
  await db.run("update sessions set expires_at = ? where kind = 'identity'", [Date.now() - 1])
  const kept = await makeSession(db, { id, accountId, group: null, displayName })
  t.not(kept.token, token)

  const log = createLogger({ service: 'test', level: 'silent' })
  t.teardown(startRetention({ db, log, owner: 'test', firstAfterMs: 0 }))
  await until(async () => (await counted()).length === 1)
  t.deepEqual(await counted(), recent)
  await until(async () => (await db.all('select * from identity_one_time_tokens')).length === 1)
  t.like(await db.all('select token_hash from identity_one_time_tokens'), [{ token_hash: 'live' }])
  const kinds = await db.all<{ kind: string }>('select kind from sessions order by kind')
  t.deepEqual(
    kinds.map(({ kind }) => kind),
    ['identity', 'user'],
  )
})
