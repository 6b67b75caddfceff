import test, { type ExecutionContext } from 'ava'
import { verifyPassword } from '#shared/crypto/password.ts'
import { findIdentityToSignIn } from '#shared/data/identities/identities.ts'
import { countLoginAttempt } from '#shared/data/sign-in/login-attempts.ts'
import { identityLoginKeys } from '#shared/domain/identity/sign-in.ts'
import { makeIdentity } from '../../../../support/identity/identities.ts'
import { commandLine } from '../../../../support/processes/command-line.ts'

const password = 'correct horse battery'

async function setUp(t: ExecutionContext) {
  const { run, database } = await commandLine(t)
  await run(['migrate'])
  const accountId = (await run(['account', 'create', '--name', 'main'])).stdout.trim()
  const db = await database()
  const events = () => db.all<{ type: string; actor: string; snapshot: string }>('select * from events order by id')
  return { run, db, accountId, events }
}

test('identities and groups are listed, also of one group, without their passwords', async (t) => {
  const { run, db, accountId } = await setUp(t)
  const grouped = await makeIdentity(db, { accountId, name: 'Ada', group: 'staff', passwordHash: 'canary' })
  const free = await makeIdentity(db, { accountId, name: 'Bob', email: 'bob@example.com' })
  const listed = async (...options: string[]) =>
    JSON.parse((await run(['identity', 'list', '--json', ...options])).stdout) as Record<string, unknown>[]
  t.like(await listed(), [
    { id: grouped.identityId, name: 'Ada', group: 'staff', email: null, activated: true, account: 'main' },
    { id: free.identityId, name: 'Bob', group: null, email: 'bob@example.com' },
  ])
  t.deepEqual((await listed('--group', 'staff')).map(({ name }) => name), ['Ada']) // biome-ignore format: one line
  t.deepEqual((await listed('--group', '', '--account', 'main')).map(({ name }) => name), ['Bob']) // biome-ignore format: one line
  for (const line of ['--group nobody', '--group staff --account other']) {
    await run(['account', 'create', '--name', 'other'])
    const { code, stdout, stderr } = await run(['identity', 'list', ...line.split(' ')])
    t.like({ code, stdout }, { code: 1, stdout: '' })
    t.regex(stderr, /^listd: there is no group "(nobody|staff)"; "listd group list" lists the groups\.\n$/)
  }
  const table = await run(['identity', 'list'])
  t.regex(table.stdout, /^ID +GROUP +NAME .*\n.* staff +Ada /)
  t.notRegex(table.stdout, /canary/)
  t.like(JSON.parse((await run(['group', 'list', '--json'])).stdout), [
    { name: 'staff', sessionLifetimeSeconds: 604_800, sessionIdleSeconds: null, minPasswordLength: 8, account: 'main' },
  ])
  t.regex((await run(['group', 'list'])).stdout, /^ID +NAME +SESSION SECONDS .*\n.* staff +604800 /)
})

test('a group is created, changed and deleted, and each change is logged', async (t) => {
  const { run, db, accountId, events } = await setUp(t)
  const group = (...args: string[]) => run(['group', ...args])
  const settings = async () => JSON.parse((await group('list', '--json')).stdout)[0]
  const created = await group('create', '--name', 'staff', '--require-email', '--session-idle-seconds', '60')
  t.like(created, { code: 0, stderr: 'Created the group "staff".\n' })
  t.like(await settings(), { id: created.stdout.trim(), name: 'staff', requireEmail: true, sessionIdleSeconds: 60 })
  t.regex((await group('create', '--name', 'staff')).stderr, /a group "staff" already exists\.\n$/)

  const change = ['--no-require-email', '--session-idle-seconds', 'none', '--min-password-length', '12']
  const changed = await group('update', '--group', 'staff', ...change, '--session-lifetime-seconds', '60')
  t.is(changed.stderr, 'Changed the group "staff"; a running gateway notices within 5 seconds.\n')
  const after = { requireEmail: false, sessionIdleSeconds: null, minPasswordLength: 12, sessionLifetimeSeconds: 60 }
  t.like(await settings(), after)

  const { identityId } = await makeIdentity(db, { accountId, group: 'staff' })
  t.regex((await group('delete', '--group', 'staff')).stderr, /the group "staff" has identities; delete them first\./)
  await db.run('delete from identities where id = ?', [identityId])
  t.is((await group('delete', '--group', created.stdout.trim())).stderr, 'Deleted the group "staff".\n')
  const logged = await events()
  t.deepEqual(logged.map(({ type, actor }) => [type, actor]), ['created', 'updated', 'deleted'].map((what) => [`identity-group-${what}`, 'null'])) // biome-ignore format: one line
  t.like(JSON.parse(logged[1]?.snapshot ?? ''), after)
})

test('an impossible group is reported in one sentence, and nothing is written', async (t) => {
  const { run, events } = await setUp(t)
  const errorOf = async (...args: string[]) => (await run(['group', ...args])).stderr
  t.is(
    await errorOf('create', '--name', 'a', '--session-idle-seconds', '0', '--min-password-length', 'none'),
    'listd: --session-idle-seconds must be a whole number from 1 to 315360000, or none; ' +
      '--min-password-length must be a whole number from 8 to 256.\n',
  )
  t.regex(await errorOf('create', '--name', ' a'), /^listd: --name must be 1 to 100 printable ASCII characters/)
  t.regex(await errorOf('update', '--group', 'a'), /specify at least one setting to change/)
  for (const what of ['update', 'delete']) {
    const rest = what === 'update' ? ['--require-email'] : []
    t.regex(await errorOf(what, '--group', 'a', ...rest), /the account "main" has no group "a"; "listd group list"/)
  }
  t.deepEqual(await events(), [])
})

test('a new password is set by id or name, ends the sessions and the wait after failed logins, and is logged', async (t) => {
  const { run, db, accountId, events } = await setUp(t)
  const { identityId } = await makeIdentity(db, { accountId, name: 'Ada', group: 'staff' })
  for (const key of Object.values(identityLoginKeys(accountId, identityId))) {
    for (let n = 0; n < 5; n++) await countLoginAttempt(db, { key, now: Date.now() })
  }
  const set = (identity: string, input: string) =>
    run(['identity', 'set-password', '--identity', identity, '--password-stdin'], { input })
  const done = await set('staff/ada', `${password}\n`)
  t.like(done, { code: 0, stdout: '' })
  t.regex(done.stderr, /^Set the password of the identity staff\/Ada\. Ended one session; .* within 5 seconds\.\n$/)
  const found = await findIdentityToSignIn(db, { accountId, group: 'staff', nameKey: 'ada' })
  t.true(await verifyPassword(found?.passwordHash ?? '', password))
  t.deepEqual(await db.all('select id from sessions'), [])
  t.deepEqual(await db.all('select login_key from login_attempts'), [])
  const [event, ...others] = await events()
  t.deepEqual(others, [])
  t.like(event, { type: 'identity-updated', actor: 'null', attachments: '{"changed":["password"]}' })
  t.notRegex(JSON.stringify(event), /correct horse|argon/)

  t.regex((await set(identityId, 'short')).stderr, /the password needs 8 characters/)
  await db.run('update identity_groups set min_password_length = 30')
  t.regex((await set(identityId, password)).stderr, /the password needs 30 characters/)
  for (const unknown of ['staff/Eve', 'Ada', '/Ada'])
    t.regex((await set(unknown, password)).stderr, /the account "main" has no identity ".*"; "listd identity list"/)
})

test('a deactivated identity has no sessions, and this is logged', async (t) => {
  const { run, db, accountId, events } = await setUp(t)
  const { identityId } = await makeIdentity(db, { accountId, name: 'Ada' })
  const done = await run(['identity', 'deactivate', '--identity', '/Ada'])
  t.is(done.code, 0, done.stderr)
  t.regex(done.stderr, /^Deactivated the identity Ada\. Ended one session/)
  t.deepEqual(await db.all('select id from sessions'), [])
  const found = await findIdentityToSignIn(db, { accountId, group: null, nameKey: 'ada' })
  t.like(found?.identity, { id: identityId, activated: false })
  const [event] = await events()
  t.like(event, { type: 'identity-updated', actor: 'null' })
  t.like(JSON.parse(event?.snapshot ?? ''), { activated: false })
})
