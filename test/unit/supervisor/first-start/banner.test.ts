import test from 'ava'
import { banner } from '#services/supervisor/first-start/banner.ts'
import { type OwnCommand, ownCommand } from '#services/supervisor/first-start/own-command.ts'
import { loadConfig } from '#shared/config/load.ts'

const address = 'http://127.0.0.1:3000'

const plain: OwnCommand = { command: 'scripts/listd', fromOutside: null }

function started({
  setupToken = 'listd_setup_x',
  own = plain,
  env = {},
}: {
  setupToken?: string | null
  own?: OwnCommand
  env?: Record<string, string>
}): string {
  const config = loadConfig({ env, cwd: '/srv' })
  return banner({ config, address, setupToken, tookMs: 1234, own })
}

test('while there is no user, the banner has the set-up link and the equivalent commands, in at most 8 lines', (t) => {
  const text = started({})
  t.true(text.trimEnd().split('\n').length <= 8, text)
  t.regex(text, /ready after 1\.2 s/)
  t.regex(text, /API +http:\/\/127\.0\.0\.1:3000\n/)
  t.regex(text, /data +\/srv\/data\n/)
  t.regex(text, /set up +http:\/\/127\.0\.0\.1:3000\/setup#token=listd_setup_x\n.*once.*30 minutes/)
  t.regex(text, /scripts\/listd user create --email you@example\.com\n/)
  t.regex(text, /scripts\/listd token create --allow-all\n/)
  t.regex(text, /try it +curl http:\/\/127\.0\.0\.1:3000\/health\/ready\n$/)
})

test('once there is a user, the banner has only addresses', (t) => {
  const text = started({ setupToken: null })
  t.is(text.trimEnd().split('\n').length, 5)
  t.regex(text, /browser +http:\/\/127\.0\.0\.1:3000\/dashboard\/\n/)
  t.notRegex(text, /set up|token|user create/)
  t.regex(text, /try it +curl /)
  t.notRegex(started({ setupToken: null, env: { LISTD_GATEWAY_DASHBOARD: 'false' } }), /dashboard/)
})

const here = { engine: null, hostname: 'host', isOnPath: false, calledAs: null }

test('in another shell listd is the program on PATH, or the path from here', (t) => {
  const paths = { dataDir: '/srv/data', cwd: '/srv' }
  t.is(ownCommand({ ...here, isOnPath: true }, paths).command, 'listd')
  t.regex(ownCommand(here, paths).command, /^\.\.\/.*\/scripts\/listd$/)
})

test('in another shell the executable is called as in this one', (t) => {
  const paths = { dataDir: '/srv/data', cwd: '/srv' }
  t.is(ownCommand({ ...here, calledAs: './listd' }, paths).command, './listd')
  t.is(
    ownCommand({ ...here, calledAs: './my listd' }, { ...paths, cwd: '/' }).command,
    "LISTD_DATA_DIR=/srv/data './my listd'",
  )
})

test('commands for another data directory name it, quoted for a shell', (t) => {
  const on = (dataDir: string) => ownCommand({ ...here, isOnPath: true }, { dataDir, cwd: '/srv' }).command
  t.is(on('/var/lib/listd'), 'LISTD_DATA_DIR=/var/lib/listd listd')
  t.is(on("/tmp/a b'c"), "LISTD_DATA_DIR='/tmp/a b'\\''c' listd")
})

test('in a container the command finds the data from any folder, and there is a separate command for outside', (t) => {
  const paths = { dataDir: '/data', cwd: '/data' }
  const docker = { engine: 'docker', hostname: '0123456789ab', isOnPath: true, calledAs: null } as const
  const own = ownCommand(docker, paths)
  t.deepEqual(own, { command: 'LISTD_DATA_DIR=/data listd', fromOutside: 'docker exec -it 0123456789ab env' })
  t.is(ownCommand({ ...docker, hostname: 'lists' }, paths).fromOutside, 'docker exec -it CONTAINER env')
  const executable = { ...docker, isOnPath: false, calledAs: './listd' }
  const nextToData = { dataDir: '/srv/data', cwd: '/srv' }
  t.is(ownCommand(executable, nextToData).command, 'LISTD_DATA_DIR=/srv/data /srv/listd')
  // A development container runs from the sources.
  t.like(ownCommand({ ...docker, isOnPath: false }, nextToData), { fromOutside: null })
  const lines = started({ own }).trimEnd().split('\n')
  t.is(lines.length, 9)
  t.deepEqual(lines.slice(-4, -1), [
    '           LISTD_DATA_DIR=/data listd user create --email you@example.com',
    '           LISTD_DATA_DIR=/data listd token create --allow-all',
    '           from outside the container, prefix each with: docker exec -it 0123456789ab env',
  ])
})
