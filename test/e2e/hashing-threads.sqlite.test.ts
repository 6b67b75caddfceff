import { readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import { testListd } from '../support/listd.ts'

test('on eight cores eight passwords are hashed at once, and two threads are left to the database', async (t) => {
  const eightCores = new URL('../fixtures/eight-cores.ts', import.meta.url)
  const listd = await testListd(t, { env: { NODE_OPTIONS: `--import=${eightCores.href}` } })
  const unknown = { email: 'nobody@listd.example', password: 'a wrong password' }
  t.is((await listd.api('POST', '/auth/login', { body: unknown })).status, 401)
  const task = `/proc/${listd.pidOf('identity')}/task`
  const names = readdirSync(task).map((thread) => readFileSync(`${task}/${thread}/comm`, 'utf8').trim())
  t.is(names.filter((name) => name === 'libuv-worker').length, 10)
})
