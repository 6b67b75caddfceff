import { readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import { startIdentity } from '../../support/identity.ts'
import { until } from '../../support/until.ts'

test('every thread that may hash lets other processes go first', async (t) => {
  const { login } = await startIdentity(t)
  await login({ email: 'ada@example.com' })
  const priorities = readdirSync('/proc/self/task').map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })
  t.true(priorities.length > 4)
  t.true(
    priorities.every((nice) => nice === 19),
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
