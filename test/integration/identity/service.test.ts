import test from 'ava'
import { until } from '../../support/assertions/until.ts'
import { startIdentity } from '../../support/identity/identity.ts'
import { freePort } from '../../support/processes/free-port.ts'

test('closing waits for the logins in progress', async (t) => {
  const { login, close, logged } = await startIdentity(t)
  const logins = Array.from({ length: 4 }, () => login({ email: 'ada@example.com' }))
  await until(async () => logged().includes('user.logged_in'))
  await close()
  const users = await Promise.all(logins.map((answer) => answer.then(({ userId }) => userId)))
  t.deepEqual(users, ['ada', 'ada', 'ada', 'ada'])
})

test('its metrics count the conflicts that logins and registrations can meet, and rejected logins', async (t) => {
  const opsPort = String(await freePort())
  const { login } = await startIdentity(t, { LISTD_IDENTITY_OPS_PORT: opsPort })
  await t.throwsAsync(login({ email: 'nobody@example.com' }))
  const text = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text()
  t.regex(text, /^listd_login_conflicts_total\{service="identity"\} \d+$/m)
  t.regex(text, /^listd_group_conflicts_total\{service="identity"\} \d+$/m)
  t.regex(text, /^listd_logins_refused_total\{service="identity"\} 1$/m)
})
