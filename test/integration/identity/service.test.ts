import test from 'ava'
import { until } from '../../support/assertions/until.ts'
import { startIdentity } from '../../support/identity/identity.ts'

test('closing lets the logins at work end', async (t) => {
  const { login, close, logged } = await startIdentity(t)
  const logins = Array.from({ length: 4 }, () => login({ email: 'ada@example.com' }))
  await until(async () => logged().includes('user.logged_in'))
  await close()
  const users = await Promise.all(logins.map((answer) => answer.then(({ userId }) => userId)))
  t.deepEqual(users, ['ada', 'ada', 'ada', 'ada'])
})
