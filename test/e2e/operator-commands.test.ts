import { existsSync } from 'node:fs'
import test from 'ava'
import { verifyPassword } from '#shared/crypto/password.ts'
import { findUserByEmailKey } from '#shared/data/accounts/users.ts'
import { putSetting } from '#shared/data/settings.ts'
import { commandLine, settingsOf } from '../support/command-line.ts'
import { testPassword } from '../support/credentials.ts'
import { testBackend } from '../support/database.ts'
import { testListd } from '../support/listd.ts'
import { until } from '../support/until.ts'

const password = 'correct horse battery'

test('accounts, users and tokens are listed as tables or as JSON, and never a value or a hash', async (t) => {
  const { run } = await commandLine(t)
  await run(['migrate'])
  t.is((await run(['account', 'list'])).stdout, 'ID  NAME  PLAN  CREATED\n')
  const user = await run(['user', 'create', '--email', 'me@example.com', '--password-stdin'], { input: password })
  t.regex(user.stderr, /^Made the user me@example\.com of the account "main"\.\n$/)
  await run(['account', 'create', '--name', 'other'])
  const token = await run(['token', 'create', '--allow-all', '--name', 'ci', '--account', 'main'])

  const accounts = JSON.parse((await run(['account', 'list', '--json'])).stdout)
  t.deepEqual(
    accounts.map(({ name, plan }: Record<string, string>) => [name, plan]),
    [
      ['main', 'scale'],
      ['other', 'scale'],
    ],
  )
  const users = await run(['user', 'list'])
  t.regex(users.stdout, /^ID +EMAIL +ACCOUNT +CREATED +LAST LOGIN\n\S+ +me@example\.com +main +\S+Z +-\n$/)
  const tokens = await run(['token', 'list'])
  t.regex(tokens.stdout, /\n\S+ +ci +main +3 +yes +\S+Z +- +-\n$/)
  t.like(JSON.parse((await run(['token', 'list', '--account', 'main', '--json'])).stdout), [{ name: 'ci', rules: 3 }])
  for (const what of ['user', 'token']) {
    t.deepEqual(JSON.parse((await run([what, 'list', '--account', 'other', '--json'])).stdout), [])
    t.regex((await run([what, 'list', '--account', 'third'])).stderr, /there is no account "third"/)
  }
  t.false((tokens.stdout + users.stdout).includes(token.stdout.trim()))
  t.notRegex(users.stdout, /argon2/)
})

test('an account is put on another plan that exists, and on no other', async (t) => {
  const { run } = await commandLine(t)
  await run(['migrate'])
  await run(['account', 'create', '--name', 'main'])
  const wrong = await run(['account', 'set-plan', '--plan', 'indi'])
  t.like(wrong, { code: 1, stdout: '' })
  t.regex(wrong.stderr, /no plan "indi"; the plans are free, indie, pro, scale\. Did you mean indie\?\n$/)
  t.is((await run(['account', 'set-plan', '--plan', '__proto__'])).code, 1)
  t.regex((await run(['account', 'set-plan', '--plan', 'free'])).stderr, /on the plan free, before on scale/)
  t.like(JSON.parse((await run(['account', 'list', '--json'])).stdout), [{ plan: 'free' }])
})

test('a new password ends the sessions of the user, on a running gateway within 5 seconds', async (t) => {
  t.timeout(60_000)
  const listd = await testListd(t)
  const { email } = listd.credentials
  const { run } = await commandLine(t)
  const here = { env: settingsOf(listd.dataDir) }
  t.is((await listd.user('GET', '/auth/self')).status, 200)
  const args = ['user', 'set-password', '--password-stdin', '--email']
  const set = await run([...args, email.toUpperCase()], { input: password, ...here })
  t.regex(set.stderr, /^Set the password of .*\. One session ended; a running gateway notices within 5 seconds\.\n$/)
  await until(async () => (await listd.user('GET', '/auth/self')).status === 401, { withinMs: 5_500 })
  const login = (given: string) => listd.api('POST', '/auth/login', { body: { email, password: given } })
  t.is((await login(testPassword)).status, 401)
  t.is((await login(password)).status, 200)
  t.is((await listd.api('GET', '/lists')).status, 200)

  t.regex((await run([...args, email], { input: 'short', ...here })).stderr, /the password needs 8 characters/)
  t.regex((await run([...args, 'nobody@example.com'], { input: password, ...here })).stderr, /no user with the email/)
})

test('a password that is set is hashed with the parameters of today', async (t) => {
  const { run, database } = await commandLine(t)
  await run(['migrate'])
  await run(['user', 'create', '--email', 'me@example.com', '--password-stdin'], { input: 'the first one' })
  const set = await run(['user', 'set-password', '--email', 'me@example.com', '--password-stdin'], { input: password })
  t.regex(set.stderr, /There were no sessions to end\.\n$/)
  const stored = (await findUserByEmailKey(await database(), 'me@example.com'))?.passwordHash ?? ''
  t.true(await verifyPassword(stored, password))
  t.true(stored.includes(`m=${19 * 1024},`))
})

test('migrate --status tells where the schema is, and changes nothing', async (t) => {
  const { run, database, dataDir } = await commandLine(t)
  const none = testBackend === 'sqlite' ? /^There is no database yet/ : /^The schema is at version 0; /
  t.regex((await run(['migrate', '--status'])).stdout, none)
  t.false(existsSync(`${dataDir}/listd.db`))
  const db = await database()
  const empty = JSON.parse((await run(['migrate', '--status', '--json'])).stdout)
  t.like(empty, { version: 0, state: 'too-old' })
  t.is(empty.waiting.at(-1), empty.codeVersion)
  await run(['migrate'])
  t.regex((await run(['migrate', '--status'])).stdout, /^The schema is at version \d+, .* Nothing is to be done\.\n$/)
  await putSetting(db, 'compatibleFrom', '99')
  t.regex((await run(['migrate', '--status'])).stdout, /needs a listd that knows 99/)
})

test('config print tells every setting with its source, and no secret', async (t) => {
  const { run, dataDir } = await commandLine(t)
  const env = { LISTD_ADMIN_EMAIL: 'me@example.com', LISTD_ADMIN_PASSWORD: 'canary-password' }
  const { stdout } = await run(['config', 'print'], { env })
  const lines = stdout.split('\n')
  t.regex(lines[0] ?? '', /^KEY +VALUE +SOURCE$/)
  t.true(lines.some((line) => /^gateway\.port +3000 +config\/default\.json$/.test(line)))
  t.true(lines.some((line) => line.startsWith('dataDir ') && line.includes(dataDir) && line.endsWith('LISTD_DATA_DIR')))
  t.true(lines.some((line) => /^admin\.password +\[redacted\] +LISTD_ADMIN_PASSWORD$/.test(line)))
  const json = await run(['config', 'print', '--json'], { env })
  t.is(JSON.parse(json.stdout).length, lines.length - 2)
  t.false((stdout + json.stdout).includes('canary'))
  t.regex((await run(['config', 'print'], { env: { LISTD_GATEWAY_PORT: 'x' } })).stderr, /gateway\.port/)
})
