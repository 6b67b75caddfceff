import test from 'ava'
import { banner } from '#services/supervisor/banner.ts'
import { loadConfig } from '#shared/config/load.ts'

const address = 'http://127.0.0.1:3000'

function started(given: { env?: Record<string, string>; setupToken?: string | null }): string {
  const { env = {}, setupToken = 'listd_setup_x' } = given
  return banner({ config: loadConfig({ env, cwd: '/srv' }), address, setupToken, tookMs: 1234, cwd: '/srv' })
}

test('while there is no user the banner has the set-up link and the commands that do the same, in at most 8 lines', (t) => {
  const text = started({})
  t.true(text.trimEnd().split('\n').length <= 8, text)
  t.regex(text, /ready after 1\.2 s/)
  t.regex(text, /API +http:\/\/127\.0\.0\.1:3000\n/)
  t.regex(text, /data +\/srv\/data\n/)
  t.regex(text, /set up +http:\/\/127\.0\.0\.1:3000\/setup#token=listd_setup_x\n.*once.*30 minutes/)
  t.regex(text, /scripts\/listd user create --email you@example\.com\n/)
  t.regex(text, /scripts\/listd token create --allow-all\n/)
  t.regex(text, /try it +curl http:\/\/127\.0\.0\.1:3000\/health\/ready\n$/)
  t.notRegex(text, /LISTD_DATA_DIR/)
})

test('once there is a user the banner tells addresses only', (t) => {
  const text = started({ setupToken: null })
  t.is(text.trimEnd().split('\n').length, 4)
  t.notRegex(text, /set up|token|user create/)
  t.regex(text, /try it +curl /)
})

test('commands for another data directory name it, quoted for a shell', (t) => {
  t.regex(started({ env: { LISTD_DATA_DIR: '/var/lib/listd' } }), / LISTD_DATA_DIR=\/var\/lib\/listd .*user create/)
  t.true(started({ env: { LISTD_DATA_DIR: "/tmp/a b'c" } }).includes(`LISTD_DATA_DIR='/tmp/a b'\\''c' `))
})
