import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { testPassword } from '../support/http/credentials.ts'
import { programOn } from '../support/processes/command-line.ts'
import { testListd } from '../support/processes/listd.ts'
import { assertNoSecrets } from '../support/test-context/canaries.ts'

test('a user signs in to a listd on the command line, and out', async (t) => {
  const listd = await testListd(t)
  const { email } = listd.credentials
  const config = join(listd.dataDir, 'config')
  const start = programOn(listd.dataDir)
  const run = async (line: string, input = '') => {
    const result = await start(line.split(' '), { input, env: { XDG_CONFIG_HOME: config, LISTD_PROFILE: 'mine' } })
    assertNoSecrets(line, result.stdout + result.stderr)
    return result
  }
  const sessions = async () => (await listd.user('GET', '/auth/self/sessions')).json.total

  const wrong = await run(`login --email ${email} --url ${listd.address} --password-stdin`, 'battery staple')
  t.is(wrong.code, 7)
  const login = await run(`login --email ${email} --url ${listd.address} --password-stdin`, testPassword)
  t.regex(login.stderr, /^Signed in to http:\/\/127\.0\.0\.1:\d+ as \S+ until \S+Z, as the profile "mine"\.\n$/)
  t.is(await sessions(), 2)
  t.regex(await readFile(join(config, 'listd/profiles.json'), 'utf8'), /"session": "listd_/)
  t.is((await run('logout')).code, 0)
  t.is(await sessions(), 1)
})
