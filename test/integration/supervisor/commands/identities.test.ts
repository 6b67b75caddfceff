import test, { type ExecutionContext } from 'ava'
import { verifyPassword } from '#shared/crypto/password.ts'
import { countLoginAttempt } from '#shared/data/accounts/login-attempts.ts'
import { findIdentityToSignIn } from '#shared/data/identities/identities.ts'
import { identityLoginKey } from '#shared/domain/identity/sign-in.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'
import { commandLine } from '../../../support/processes/command-line.ts'

const password = 'correct horse battery'

async function setUp(t: ExecutionContext) {
  const { run, database } = await commandLine(t)
  await run(['migrate'])
  const accountId = (await run(['account', 'create', '--name', 'main'])).stdout.trim()
  const db = await database()
  const events = () => db.all<{ type: string; actor: string; snapshot: string }>('select * from events order by id')
  return { run, db, accountId, events }
}

test('identities and groups are listed, of one group too, without their passwords', async (t) => {
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
  const table = await run(['identity', 'list'])
  t.regex(table.stdout, /^ID +GROUP +NAME .*\n.* staff +Ada /)
  t.notRegex(table.stdout, /canary/)
  t.like(JSON.parse((await run(['group', 'list', '--json'])).stdout), [
    { name: 'staff', sessionLifetimeSeconds: 604_800, sessionIdleSeconds: null, minPasswordLength: 8, account: 'main' },
  ])
  t.regex((await run(['group', 'list'])).stdout, /^ID +NAME +SESSION SECONDS .*\n.* staff +604800 /)
})

test('a new password is set by id or name, ends the sessions and the wait after failed logins, and is logged', async (t) => {
  const { run, db, accountId, events } = await setUp(t)
  const { identityId } = await makeIdentity(db, { accountId, name: 'Ada', group: 'staff' })
  const key = identityLoginKey(accountId, identityId)
  for (let n = 0; n < 5; n++) await countLoginAttempt(db, { key, now: Date.now() })
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

test('a deactivated identity has no sessions, and that is logged', async (t) => {
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
