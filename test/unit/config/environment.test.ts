import test from 'ava'
import { environmentWithFiles, foreignEnvironment, searchPath } from '#shared/config/environment.ts'

test('a secret passed in a file replaces the variable that held it', (t) => {
  const env = environmentWithFiles(
    { 'nats.url': '/run/url' },
    { PATH: '/bin', LISTD_NATS_URL: '', LISTD_LOG_LEVEL: 'warn' },
  )
  t.deepEqual(env, { PATH: '/bin', LISTD_LOG_LEVEL: 'warn', LISTD_NATS_URL_FILE: '/run/url' })
})

test('a foreign program gets none of our settings', (t) => {
  t.deepEqual(foreignEnvironment({ PATH: '/bin', LISTD_ADMIN_PASSWORD: 'x' }), { PATH: '/bin' })
})

test('programs are searched for in the folders of PATH', (t) => {
  t.deepEqual(searchPath({ PATH: '/a::/b' }), ['/a', '/b'])
  t.deepEqual(searchPath({}), [])
})
