import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { type ScriptedReply, scriptedServer } from '../../../support/http/scripted-server.ts'
import { commandsWith } from '../../../support/processes/command-line.ts'
import { testFolder } from '../../../support/test-context/folder.ts'

const expiresAt = '2027-01-31T12:00:00.000Z'

function signedIn(token: string): ScriptedReply {
  return { body: JSON.stringify({ user: { email: 'ada@example.com' }, account: {}, token, expiresAt }) }
}

const rejected: ScriptedReply = {
  status: 401,
  body: '{"name":"USER_NOT_AUTHENTICATED","code":11002,"message":"The credentials are missing or not valid."}',
}

/** Commands of a person without profiles, and a server that sends these replies in turn. */
async function world(t: ExecutionContext, ...replies: ScriptedReply[]) {
  const server = await scriptedServer(t, ...replies)
  const home = await testFolder(t)
  const file = join(home, 'listd', 'profiles.json')
  const run = commandsWith({ XDG_CONFIG_HOME: home })
  const login = (...more: string[]) =>
    run(['login', '--email', 'ada@example.com', '--password-stdin', ...more], { input: 'hidden password\n' })
  const profiles = async () => JSON.parse(await readFile(file, 'utf8')).profiles
  return { ...server, run, login, file, profiles }
}

test('a session is stored in a file that only its owner may read, and is shown nowhere', async (t) => {
  const { url, login, requests, file, profiles } = await world(t, signedIn('hidden-1'))
  const result = await login('--url', url)
  const sentence = `Signed in to ${url} as ada@example.com until ${expiresAt}, as the profile "default".\n`
  t.deepEqual(result, { code: 0, stdout: '', stderr: sentence })
  t.like(requests, [
    { method: 'POST', path: '/auth/login', body: '{"email":"ada@example.com","password":"hidden password"}' },
  ])
  t.deepEqual(await profiles(), { default: { url, email: 'ada@example.com', session: 'hidden-1', expiresAt } })
  t.is((await stat(file)).mode & 0o777, 0o600)
})

test('a user who signs in again does so at the address of the profile, and the previous session is ended', async (t) => {
  const { url, login, requests, profiles } = await world(t, signedIn('hidden-1'), signedIn('hidden-2'), { status: 204 })
  await login('--url', url, '--profile', 'staging')
  t.is((await login('--profile', 'staging')).code, 0)
  t.like(requests[2], { path: '/auth/logout', headers: { authorization: 'Bearer hidden-1' } })
  t.is((await profiles()).staging.session, 'hidden-2')
})

test('a login that is rejected, or has no address, fails with the reason, and nothing is stored', async (t) => {
  const { url, login, run, file } = await world(t, rejected)
  const wrong = await login('--url', url)
  t.like(wrong, { code: 7, stdout: '' })
  t.regex(wrong.stderr, /^listd: .* The email or the password is wrong, or the user is disabled\.\n$/)
  t.regex((await login()).stderr, /^listd: --url is missing/)
  t.regex((await login('--url', 'https://ada:hidden@x')).stderr, /^listd: --url must be an address such as [^@]*\n$/)
  const asked = await run(['login', '--email', 'ada@example.com', '--url', url])
  t.regex(asked.stderr, /no terminal to prompt for the password; use --password-stdin/)
  await t.throwsAsync(stat(file), { code: 'ENOENT' })
})

test('a password over other networks without encryption causes a warning', async (t) => {
  const { run } = await world(t)
  const args = ['login', '--email', 'ada@example.com', '--url', 'http://203.0.113.7']
  const [first] = (await run(args)).stderr.split('\n')
  t.is(first, 'The password and the session are sent to http://203.0.113.7 unencrypted; use https to keep them secret.')
})

test('a session that cannot be stored is ended', async (t) => {
  const { url, requests } = await world(t, signedIn('hidden-1'), { status: 204 })
  // No folder can be created in /proc.
  const run = commandsWith({ XDG_CONFIG_HOME: '/proc' })
  const args = ['login', '--email', 'ada@example.com', '--password-stdin', '--url', url]
  t.is((await run(args, { input: 'hidden password' })).code, 1)
  t.like(requests[1], { path: '/auth/logout', headers: { authorization: 'Bearer hidden-1' } })
})

test('signing out removes the profile, and a session that cannot be ended stays until it is forgotten with --force', async (t) => {
  const { url, login, run, requests, profiles } = await world(t, signedIn('hidden-1'), { status: 503 }, { status: 204 })
  await login('--url', url)
  t.like(await run(['logout']), { code: 1, stdout: '' })
  t.is((await profiles()).default.session, 'hidden-1')
  t.is((await run(['logout'])).stderr, `Signed out ada@example.com from ${url}.\n`)
  t.like(requests[2], { path: '/auth/logout', headers: { authorization: 'Bearer hidden-1' } })
  t.deepEqual(await profiles(), {})
  t.regex((await run(['logout'])).stderr, /^listd: no user is signed in as the profile "default"\.\n$/)
})

test('with --force a session that cannot be ended is forgotten, and this is reported', async (t) => {
  const { url, login, run, profiles } = await world(t, signedIn('hidden-1'), { status: 503 })
  await login('--url', url)
  const { code, stderr } = await run(['logout', '--force'])
  t.is(code, 0)
  t.regex(stderr, /^The session of ada@example\.com at \S+ could not be ended there; it ends on its own at 2027-/)
  t.deepEqual(await profiles(), {})
})
