import test from 'ava'
import { banner } from '#services/supervisor/banner.ts'
import { loadConfig } from '#shared/config/load.ts'

const started = (env: Record<string, string>, cwd: string) =>
  banner({ config: loadConfig({ env, cwd }), address: 'http://127.0.0.1:3000', tookMs: 1234, cwd })

test('the banner has at most 8 lines: address, data directory, first account, user and token, and a curl line', (t) => {
  const text = started({}, '/srv')
  t.true(text.trimEnd().split('\n').length <= 8, text)
  t.regex(text, /ready after 1\.2 s/)
  t.regex(text, /API +http:\/\/127\.0\.0\.1:3000\n/)
  t.regex(text, /data +\/srv\/data\n/)
  t.regex(text, /scripts\/listd account create --name main\n/)
  t.regex(text, /scripts\/listd user create --email /)
  t.regex(text, /scripts\/listd token create .*--allow-all\n/)
  t.regex(text, /curl http:\/\/127\.0\.0\.1:3000\/health\/ready\n/)
  t.notRegex(text, /LISTD_DATA_DIR/)
})

test('commands for another data directory name it, quoted for a shell', (t) => {
  t.regex(started({ LISTD_DATA_DIR: '/var/lib/listd' }, '/srv'), / LISTD_DATA_DIR=\/var\/lib\/listd .*account create/)
  t.true(started({ LISTD_DATA_DIR: "/tmp/a b'c" }, '/srv').includes(`LISTD_DATA_DIR='/tmp/a b'\\''c' `))
})
