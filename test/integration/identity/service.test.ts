import { readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import type { Revoked } from '#shared/bus/subjects.ts'
import { tokenHash } from '#shared/crypto/token.ts'
import { findSessionByTokenHash } from '#shared/data/sessions.ts'
import { startIdentity } from '../../support/identity.ts'
import { until } from '../../support/until.ts'

const options = { timeoutMs: 5_000, requestId: 'r' }

test('logout ends the session and tells every process; a second one is no error', async (t) => {
  const { db, bus, login } = await startIdentity(t)
  const revoked: string[] = []
  bus.listen<Revoked>('revoked', (message) => void revoked.push(message.tokenHash))
  const hash = tokenHash((await login({ email: 'ada@example.com' })).token)
  const other = tokenHash((await login({ email: 'ada@example.com' })).token)
  for (let n = 1; n <= 2; n++) {
    t.deepEqual(await bus.request('identity.user-logout', { tokenHash: hash }, options), {})
    await until(async () => revoked.length === n)
  }
  t.deepEqual(revoked, [hash, hash])
  t.is(await findSessionByTokenHash(db, hash), undefined)
  t.truthy(await findSessionByTokenHash(db, other))
})

test('every thread that may hash lets other processes go first', async (t) => {
  const { login } = await startIdentity(t)
  await login({ email: 'ada@example.com' })
  const priorities = readdirSync('/proc/self/task').map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })
  t.true(priorities.length > 4)
  t.true(
    priorities.every((nice) => nice === 10),
    priorities.join(' '),
  )
})

test('closing lets the logins at work end', async (t) => {
  const { login, close, logged } = await startIdentity(t)
  const logins = Array.from({ length: 4 }, () => login({ email: 'ada@example.com' }))
  await until(async () => logged().includes('user signed in'))
  await close()
  const users = await Promise.all(logins.map((answer) => answer.then(({ userId }) => userId)))
  t.deepEqual(users, ['ada', 'ada', 'ada', 'ada'])
})
