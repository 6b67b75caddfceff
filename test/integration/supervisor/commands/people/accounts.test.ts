import test from 'ava'
import { verifyPassword } from '#shared/crypto/password.ts'
import { parseToken, tokenHash } from '#shared/crypto/token.ts'
import { listAccounts } from '#shared/data/accounts/accounts.ts'
import { findTokenByHash } from '#shared/data/tokens/tokens.ts'
import { findUserByEmailKey } from '#shared/data/users/users.ts'
import { commandLine } from '../../../../support/processes/command-line.ts'

const password = 'correct horse battery'

test('migrate, account, user and token: each command prints what the next needs, and nothing else, on standard output', async (t) => {
  const { run, database } = await commandLine(t)
  const migrated = await run(['migrate'])
  t.like(migrated, { code: 0, stdout: '' })
  t.regex(migrated.stderr, /^Upgraded the database schema from version 0 to \d+\.\n$/)
  t.regex((await run(['migrate'])).stderr, /^The database schema is already at version \d+\.\n$/)
  const account = await run(['account', 'create', '--name', 'main'])
  const user = await run(['user', 'create', '--email', 'Me@Example.com', '--password-stdin'], {
    input: `${password}\n`,
  })
  const token = await run(['token', 'create', '--allow-all', '--name', 'first'])
  for (const { code, stderr } of [account, user, token]) t.is(code, 0, stderr)

  const db = await database()
  const [created] = await listAccounts(db, { limit: 2 })
  t.like(created, { id: account.stdout.trim(), name: 'main', plan: 'scale' })
  const stored = await findUserByEmailKey(db, 'me@example.com')
  t.like(stored, { id: user.stdout.trim(), accountId: created?.id })
  t.true(await verifyPassword(stored?.passwordHash ?? '', password))
  const value = token.stdout.trim()
  t.deepEqual(parseToken(value), { kind: 'api' })
  t.like(await findTokenByHash(db, tokenHash(value)), { accountId: created?.id, name: 'first', activated: true })
  t.notRegex(user.stderr + token.stderr, /correct horse|listd_api/)
})

test('a token may do what its rules allow; invalid rules are rejected with every error', async (t) => {
  const { run, database } = await commandLine(t)
  await run(['migrate'])
  await run(['account', 'create', '--name', 'main'])
  const rules = [{ mode: 'allow', action: 'view', resourceType: 'item' }]
  const { stdout } = await run(['token', 'create', '--permissions', JSON.stringify(rules)])
  t.deepEqual((await findTokenByHash(await database(), tokenHash(stdout.trim())))?.permissions, rules as never)

  const wrong = await run(['token', 'create', '--permissions', '[{"mode":"maybe"},{"action":"fly","mode":"allow"}]'])
  t.is(wrong.code, 1)
  t.regex(wrong.stderr, /permissions\.0\.action .*permissions\.0\.mode .*permissions\.1\.action/)
  t.regex((await run(['token', 'create', '--permissions', '[{'])).stderr, /--permissions is not valid JSON/)
  t.regex((await run(['token', 'create'])).stderr, /--allow-all, or --permissions/)
})

test('the account is the only one, or the named one', async (t) => {
  const { run, database } = await commandLine(t)
  await run(['migrate'])
  const none = await run(['token', 'create', '--allow-all'])
  t.like(none, { code: 1, stdout: '' })
  t.regex(none.stderr, /^listd: there is no account yet\. "listd account create --name NAME" creates one\.\n$/)
  const ids = []
  for (const name of ['one', 'two']) ids.push((await run(['account', 'create', '--name', name])).stdout.trim())
  t.regex((await run(['account', 'create', '--name', ' one '])).stderr, /an account "one" already exists/)
  t.regex((await run(['token', 'create', '--allow-all'])).stderr, /several accounts: one \(.*two \(.*--account/)
  t.regex((await run(['token', 'create', '--allow-all', '--account', 'three'])).stderr, /no account "three"/)

  const db = await database()
  for (const [n, named] of ['one', ids[1] ?? ''].entries()) {
    const { stdout } = await run(['token', 'create', '--allow-all', '--account', named])
    t.is((await findTokenByHash(db, tokenHash(stdout.trim())))?.accountId, ids[n])
  }
})

test('accounts, users and tokens are listed as tables or as JSON, and never a value or a hash', async (t) => {
  const { run } = await commandLine(t)
  await run(['migrate'])
  t.is((await run(['account', 'list'])).stdout, 'ID  NAME  PLAN  CREATED\n')
  const user = await run(['user', 'create', '--email', 'me@example.com', '--password-stdin'], { input: password })
  t.regex(user.stderr, /^Created the user me@example\.com in the account "main"\.\n$/)
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
  t.regex(users.stdout, /^ID +EMAIL +ACCOUNT +CREATED +LAST LOGIN +DISABLED\n\S+ +me@example\.com +main +\S+Z +- +-\n$/)
  const tokens = await run(['token', 'list'])
  t.regex(tokens.stdout, /\n\S+ +ci +main +3 +yes +no +\S+Z +- +-\n$/)
  t.like(JSON.parse((await run(['token', 'list', '--account', 'main', '--json'])).stdout), [{ name: 'ci', rules: 3 }])
  for (const what of ['user', 'token']) {
    t.deepEqual(JSON.parse((await run([what, 'list', '--account', 'other', '--json'])).stdout), [])
    t.regex((await run([what, 'list', '--account', 'third'])).stderr, /there is no account "third"/)
  }
  t.false((tokens.stdout + users.stdout).includes(token.stdout.trim()))
  t.notRegex(users.stdout, /argon2/)
})

test('a token is locked and unlocked, and every change of it is in the event log', async (t) => {
  const { run, database } = await commandLine(t)
  await run(['migrate'])
  await run(['account', 'create', '--name', 'main'])
  const value = (await run(['token', 'create', '--allow-all', '--name', 'ci'])).stdout.trim()
  const db = await database()
  const find = () => findTokenByHash(db, tokenHash(value))
  const id = (await find())?.id ?? ''
  const change = (command: string, ...options: string[]) => run(['token', command, '--id', id, ...options])
  t.like(await change('lock'), { code: 0, stdout: '' })
  t.true((await find())?.locked)
  t.regex((await change('lock')).stderr, /^The token "ci" is locked; a running gateway notices within 5 seconds\.\n$/)
  t.regex((await change('unlock', '--account', 'main')).stderr, /^The token "ci" is unlocked; /)
  t.false((await find())?.locked)
  const log = await db.all('select type, actor, snapshot from events where model_id = ? order by id', [id])
  t.deepEqual(
    log.map(({ type }) => type),
    ['token-created', 'token-locked', 'token-unlocked'],
  )
  for (const { actor, snapshot } of log) t.deepEqual([actor, String(snapshot).includes(value)], ['null', false])

  await run(['account', 'create', '--name', 'other'])
  t.regex((await change('lock')).stderr, /there are several accounts/)
  t.regex((await change('lock', '--account', 'other')).stderr, /the account "other" has no token .*"listd token list"/)
  t.false((await find())?.locked)
})

test('a token is created with an expiry and networks, named by its id or name, rotated and deleted', async (t) => {
  const { run, database } = await commandLine(t)
  await run(['migrate'])
  await run(['account', 'create', '--name', 'main'])
  const create = (...options: string[]) => run(['token', 'create', '--allow-all', '--json', ...options])
  const ips = '10.0.0.0/8, 2001:db8::1'
  const token = JSON.parse((await create('--name', 'ci', '--expires', '2999-01-31', '--ips', ips)).stdout)
  t.like(token, { name: 'ci', account: 'main', expiresAt: '2999-01-31T00:00:00.000Z', ips: '10.0.0.0/8,2001:db8::1' })
  const db = await database()
  const find = (value: string) => findTokenByHash(db, tokenHash(value))
  t.like(await find(token.value), { id: token.id, ips: ['10.0.0.0/8', '2001:db8::1'] })
  t.regex((await create('--expires', 'soon')).stderr, /^listd: --expires must be a date /)
  t.regex(
    (await create('--ips', '10.0.0.0/8,here')).stderr,
    /^listd: --ips must be addresses or networks .*"here"\.\n$/,
  )

  const rotated = await run(['token', 'rotate', '--token', 'ci', '--yes'])
  t.regex(rotated.stderr, /^The token "ci" has a new value, .*notices within 5 seconds\.\n$/)
  t.deepEqual([await find(token.value), (await find(rotated.stdout.trim()))?.id], [null, token.id])
  const same = JSON.parse((await create('--name', 'ci')).stdout)
  const several = await run(['token', 'delete', '--token', 'ci', '--yes'])
  t.regex(
    several.stderr,
    new RegExp(`^listd: several tokens have the name "ci": ${token.id}, ${same.id}\\. Choose one by its id`),
  )
  const json = JSON.parse((await run(['token', 'delete', '--token', same.id, '--yes', '--json'])).stdout)
  t.like(json, { id: same.id, name: 'ci' })
  t.is(await find(same.value), null)
  t.regex((await run(['token', 'delete', '--token', 'none', '--yes'])).stderr, /no token "none"; "listd token list"/)
  const log = await db.all('select type from events where model_id in (?, ?) order by id', [token.id, same.id])
  t.deepEqual(
    log.map(({ type }) => type),
    ['token-created', 'token-rotated', 'token-created', 'token-deleted'],
  )
})

test('commands that invalidate the value of a token need a confirmation, and without an answer nothing is changed', async (t) => {
  const { run } = await commandLine(t)
  await run(['migrate'])
  await run(['account', 'create', '--name', 'main'])
  const { id } = JSON.parse((await run(['token', 'create', '--allow-all', '--name', 'ci', '--json'])).stdout)
  for (const command of ['rotate', 'delete']) {
    const alone = await run(['token', command, '--token', id, '--json'])
    t.like(JSON.parse(alone.stdout), { name: 'CONFIRMATION_NEEDED', exitCode: 5 })
    t.is(alone.code, 5)
    const asked = await run(['token', command, '--token', id], { input: 'no\n', isTTY: true })
    t.regex(asked.stderr, /"ci".* Type yes to go ahead: listd: The answer was not yes; nothing was changed\.\n$/)
  }
  t.is((await run(['token', 'delete', '--token', id], { input: 'yes\n', isTTY: true })).code, 0)
  t.deepEqual(JSON.parse((await run(['token', 'list', '--json'])).stdout), [])
})

test('an account can only be moved to an existing plan', async (t) => {
  const { run } = await commandLine(t)
  await run(['migrate'])
  await run(['account', 'create', '--name', 'main'])
  const wrong = await run(['account', 'set-plan', '--plan', 'indi'])
  t.like(wrong, { code: 1, stdout: '' })
  t.regex(wrong.stderr, /no plan "indi"; the plans are free, indie, pro, scale\. Did you mean indie\?\n$/)
  t.is((await run(['account', 'set-plan', '--plan', '__proto__'])).code, 1)
  t.regex((await run(['account', 'set-plan', '--plan', 'free'])).stderr, /from the plan scale to free/)
  t.like(JSON.parse((await run(['account', 'list', '--json'])).stdout), [{ plan: 'free' }])
})
