import test from 'ava'
import { verifyPassword } from '#shared/crypto/password.ts'
import { listTokens } from '#shared/data/tokens/tokens.ts'
import { findUserByEmailKey, listUsers } from '#shared/data/users/users.ts'
import { commandLine } from '../../../../support/processes/command-line.ts'

const email = 'me@example.com'

/** Runs a command several times concurrently. @returns the exit codes, sorted */
async function together(times: number, command: (n: number) => Promise<{ code: number }>): Promise<number[]> {
  const ended = await Promise.all(Array.from({ length: times }, (_, n) => command(n)))
  return ended.map(({ code }) => code).toSorted()
}

test('of concurrent commands that create the same account or user one succeeds, and of new passwords one stays', async (t) => {
  const { run, database } = await commandLine(t)
  await run(['migrate'])
  t.deepEqual(await together(4, () => run(['account', 'create', '--name', 'main'])), [0, 1, 1, 1])
  const user = (command: string, input: string) =>
    run(['user', command, '--email', email, '--password-stdin'], { input })
  t.deepEqual(await together(4, () => user('create', 'the first one')), [0, 1, 1, 1])
  const passwords = ['another one', 'a third one', 'the fourth one']
  t.deepEqual(await together(3, (n) => user('set-password', passwords[n] ?? '')), [0, 0, 0])
  const hash = (await findUserByEmailKey(await database(), email))?.passwordHash ?? ''
  const right = await Promise.all(passwords.map((password) => verifyPassword(hash, password)))
  t.is(right.filter(Boolean).length, 1)
})

test('of the last two users of an account, disabled and deleted at once, one may still sign in', async (t) => {
  const { run, database } = await commandLine(t)
  await run(['migrate'])
  const emails = ['me@example.com', 'you@example.com']
  for (const each of emails)
    await run(['user', 'create', '--email', each, '--password-stdin'], { input: 'the first one' })
  const end = (n: number) => run(['user', ...(n ? ['disable'] : ['delete', '--yes']), '--email', emails[n] ?? ''])
  t.deepEqual(await together(2, end), [0, 1])
  const left = await listUsers(await database(), { limit: 5 })
  t.is(left.filter(({ disabledAt }) => disabledAt === null).length, 1)
})

test('concurrent locks and unlocks of one token alternate', async (t) => {
  const { run, database } = await commandLine(t)
  await run(['migrate'])
  await run(['account', 'create', '--name', 'main'])
  await run(['token', 'create', '--allow-all'])
  const db = await database()
  const [token] = await listTokens(db, { limit: 1 })
  const change = (n: number) => run(['token', n % 2 ? 'unlock' : 'lock', '--id', token?.id ?? ''])
  t.deepEqual(await together(4, change), [0, 0, 0, 0])
  const log = await db.all("select type from events where type <> 'token-created'")
  const locked = log.filter(({ type }) => type === 'token-locked').length
  const left = (await listTokens(db, { limit: 1 }))[0]?.locked
  t.is(left, locked > log.length - locked)
})

test('of concurrent starts with a configured user one creates it', async (t) => {
  const { run, database } = await commandLine(t)
  await run(['migrate'])
  const env = { LISTD_ADMIN_EMAIL: email, LISTD_ADMIN_PASSWORD: 'correct horse battery' }
  t.deepEqual(await together(4, () => run(['migrate'], { env })), [0, 0, 0, 0])
  t.is((await listUsers(await database(), { limit: 5 })).length, 1)
})
