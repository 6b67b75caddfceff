import test from 'ava'
import { verifyPassword } from '#shared/crypto/password.ts'
import { countLoginAttempt } from '#shared/data/sign-in/login-attempts.ts'
import { createSession } from '#shared/data/users/sessions.ts'
import { findUserByEmailKey } from '#shared/data/users/users.ts'
import { userLoginKey } from '#shared/domain/identity/sign-in.ts'
import { commandLine } from '../../../../support/processes/command-line.ts'

const password = 'correct horse battery'

test('a password comes from standard input or a terminal, and a bad one, or an email in use, is rejected', async (t) => {
  const { run } = await commandLine(t)
  await run(['migrate'])
  await run(['account', 'create', '--name', 'main'])
  const user = (email: string, input: string) =>
    run(['user', 'create', '--email', email, '--password-stdin'], { input })
  t.regex((await run(['user', 'create', '--email', 'a@example.com'])).stderr, /no terminal.*--password-stdin/)
  t.regex((await user('a@example.com', '')).stderr, /^listd: standard input is empty; --password-stdin/)
  t.regex((await user('a@example.com', 'short')).stderr, /^listd: the password needs 8 characters\.\n$/)
  t.regex((await user('not an address', password)).stderr, /--email is not an email address/)
  t.is((await user('a@example.com', password)).code, 0)
  t.regex((await user('A@example.COM', password)).stderr, /a user with the email .* already exists/)
})

test('a new password is hashed with the current parameters; a bad one, or that of an unknown user, is rejected', async (t) => {
  const { run, database } = await commandLine(t)
  await run(['migrate'])
  const set = (email: string, input: string) =>
    run(['user', 'set-password', '--email', email, '--password-stdin'], { input })
  await run(['user', 'create', '--email', 'me@example.com', '--password-stdin'], { input: 'the first one' })
  const db = await database()
  for (let n = 0; n < 5; n++) await countLoginAttempt(db, { key: userLoginKey('me@example.com'), now: Date.now() })
  t.regex((await set('ME@example.com', password)).stderr, /There were no sessions to end\.\n$/)
  t.deepEqual(await db.all('select login_key from login_attempts'), [])
  const stored = (await findUserByEmailKey(db, 'me@example.com'))?.passwordHash ?? ''
  t.true(await verifyPassword(stored, password))
  t.true(stored.includes(`m=${19 * 1024},`))
  const log = await db.all("select type, attachments from events where stream = 'user' order by id")
  t.deepEqual(log, [
    { type: 'user-created', attachments: null },
    { type: 'user-updated', attachments: '{"changed":["password"]}' },
  ])
  t.regex((await set('me@example.com', 'short')).stderr, /the password needs 8 characters/)
  t.regex((await set('nobody@example.com', password)).stderr, /no user with the email/)
})

test('a user is disabled, enabled and deleted, with an entry each in the event log, and sessions end', async (t) => {
  const { run, database } = await commandLine(t)
  await run(['migrate'])
  for (const email of ['me@example.com', 'you@example.com'])
    await run(['user', 'create', '--email', email, '--password-stdin'], { input: password })
  const db = await database()
  const { id: userId = '', accountId = '' } = (await findUserByEmailKey(db, 'you@example.com')) ?? {}
  const change = (command: string, ...options: string[]) =>
    run(['user', command, '--email', 'YOU@example.com', ...options])
  const session = { id: 's', accountId, userId, tokenHash: 'hash', createdAt: 1, expiresAt: 2 }
  await createSession(db, session)
  t.like(await change('disable'), {
    code: 0,
    stdout: '',
    stderr: 'Disabled the user you@example.com. Ended one session; a running gateway notices within 5 seconds.\n',
  })
  t.like(await change('disable'), { code: 0 })
  const set = await run(['user', 'set-password', '--email', 'you@example.com', '--password-stdin'], { input: password })
  t.regex(set.stderr, /The user stays disabled until you run "listd user enable"\.\n$/)
  await countLoginAttempt(db, { key: userLoginKey('you@example.com'), now: Date.now() })
  const enabled = await change('enable', '--json')
  t.is(enabled.stderr, 'The user you@example.com may sign in.\n')
  t.like(JSON.parse(enabled.stdout), { id: userId, email: 'you@example.com', account: 'main', disabledAt: null })
  t.deepEqual(await db.all('select login_key from login_attempts'), [])

  const asked = await run(['user', 'delete', '--email', 'you@example.com'], { input: 'no\n', isTTY: true })
  t.regex(
    asked.stderr,
    /permanently deletes the user you@example\.com\. Type yes to go ahead: listd: The answer was not yes; nothing/,
  )
  t.like(await change('delete'), { code: 5 })
  await createSession(db, session)
  t.regex((await change('delete', '--yes')).stderr, /^Deleted the user you@example\.com\. Ended one session;/)
  t.is(await findUserByEmailKey(db, 'you@example.com'), null)
  t.regex(
    (await change('enable')).stderr,
    /no user with the email YOU@example\.com; "listd user list" lists the users\./,
  )
  const log = await db.all('select type, actor, snapshot from events where model_id = ? order by id', [userId])
  t.deepEqual(
    log.map(({ type }) => type),
    ['user-created', 'user-disabled', 'user-updated', 'user-enabled', 'user-deleted'],
  )
  for (const { actor, snapshot } of log) {
    t.is(actor, 'null')
    t.like(JSON.parse(String(snapshot)), { id: userId, email: 'you@example.com' })
    t.notRegex(String(snapshot), /argon2|disabledAt/)
  }
})

test('the last user who may sign in to an account is disabled and deleted only with --force', async (t) => {
  const { run, database } = await commandLine(t)
  await run(['migrate'])
  for (const account of ['main', 'other']) await run(['account', 'create', '--name', account])
  for (const [email, account] of [
    ['me@example.com', 'main'],
    ['you@example.com', 'main'],
    ['them@example.com', 'other'],
  ] as const)
    await run(['user', 'create', '--email', email, '--account', account, '--password-stdin'], { input: password })
  t.is((await run(['user', 'disable', '--email', 'you@example.com'])).code, 0)
  const me = ['--email', 'me@example.com']
  for (const rejected of [await run(['user', 'disable', ...me]), await run(['user', 'delete', ...me, '--yes'])]) {
    t.like(rejected, { code: 1, stdout: '' })
    t.regex(
      rejected.stderr,
      /^listd: me@example\.com is the last user who may sign in .* nothing was changed; add --force/,
    )
  }
  t.like(await findUserByEmailKey(await database(), 'me@example.com'), { disabledAt: null })
  t.is((await run(['user', 'disable', ...me, '--force'])).code, 0)
  t.is((await run(['user', 'delete', ...me, '--yes'])).code, 0)
})
