import test from 'ava'
import { verifyPassword } from '#shared/crypto/password.ts'
import { findIdentityToSignIn } from '#shared/data/identities/identities.ts'
import { makeIdentity } from '../../../../support/identity/identities.ts'
import { commandLine } from '../../../../support/processes/command-line.ts'

test('of concurrent new passwords one stays, even if the identity is deactivated at the same time', async (t) => {
  const { run, database } = await commandLine(t)
  await run(['migrate'])
  const accountId = (await run(['account', 'create', '--name', 'main'])).stdout.trim()
  const db = await database()
  await makeIdentity(db, { accountId, name: 'Ada' })
  const passwords = ['the first of them', 'the second of them', 'the third of them']
  const one = ['--identity', '/Ada']
  const ended = await Promise.all([
    ...passwords.map((input) => run(['identity', 'set-password', ...one, '--password-stdin'], { input })),
    run(['identity', 'deactivate', ...one]),
  ])
  t.deepEqual(ended.map(({ code, stderr }) => (code === 0 ? 0 : stderr)), [0, 0, 0, 0]) // biome-ignore format: one line
  const found = await findIdentityToSignIn(db, { accountId, group: null, nameKey: 'ada' })
  const right = await Promise.all(passwords.map((password) => verifyPassword(found?.passwordHash ?? '', password)))
  t.is(right.filter(Boolean).length, 1)
  t.false(found?.identity.activated)
  t.is((await db.all('select id from events')).length, 4)
})

test('of concurrent creates and deletions of one group one succeeds, and all changes do', async (t) => {
  const { run, database } = await commandLine(t)
  await run(['migrate'])
  await run(['account', 'create', '--name', 'main'])
  const codes = async (commands: string[][]) =>
    (await Promise.all(commands.map((args) => run(['group', ...args])))).map(({ code }) => code).toSorted()
  const thrice = (args: string[]) => [args, args, args]
  t.deepEqual(await codes(thrice(['create', '--name', 'staff'])), [0, 1, 1])
  const update = ['update', '--group', 'staff']
  const changes = [['--require-email'], ['--min-password-length', '9'], ['--session-idle-seconds', '60']]
  t.deepEqual(await codes(changes.map((change) => [...update, ...change])), [0, 0, 0])
  const [settings] = JSON.parse((await run(['group', 'list', '--json'])).stdout)
  t.like(settings, { requireEmail: true, minPasswordLength: 9, sessionIdleSeconds: 60 })
  t.deepEqual(await codes(thrice(['delete', '--group', 'staff'])), [0, 1, 1])
  t.is((await (await database()).all('select id from events')).length, 5)
})
