import test from 'ava'
import { newId } from '#shared/crypto/ids.ts'
import { hashPassword } from '#shared/crypto/password.ts'
import { createAccount } from '#shared/data/accounts/accounts.ts'
import { createUser } from '#shared/data/users/users.ts'
import { until } from '../../../support/assertions/until.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../support/http/client.ts'
import type { TestGateway } from '../../../support/http/gateway.ts'
import { startSigningIn } from '../../../support/identity/signing-in.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const currentPassword = 'canary-Passwort-ü'
const password = 'another canary-pass of hers'
const accountId = newId()

const cleanup = afterAll()
let gateway: TestGateway
/** A second gateway, which learns of ended sessions only by message, because its caches do not expire during a test. */
let other: TestGateway
let passwordHash: string
test.before(async () => {
  ;({ gateway, other } = await startSigningIn(cleanup))
  const { config, db } = gateway.deps
  passwordHash = await hashPassword(currentPassword, config.passwords)
  await createAccount(db, { id: accountId, name: 'Ada', plan: 'scale', now: Date.now() })
})

type Headers = Record<string, string>
const ask = (request: Call, { port } = gateway) => call(port, request)
const logIn = (email: string, secret = currentPassword) =>
  ask({ method: 'POST', path: '/auth/login', body: { email, password: secret } })
const bearer = ({ json }: Reply): Headers => ({ authorization: `Bearer ${json?.token}` })
const self = async (headers: Headers, at = gateway) => ask({ path: '/auth/self', headers }, at)
const put = (headers: Headers, body: object) => ask({ method: 'PUT', path: '/auth/self', headers, body })
const summary = ({ status, json }: Reply) => `${status} ${json?.name}`
const wrong = '401 IDENTITY_NOT_AUTHENTICATED'

/** A new user with some sessions. */
async function makeUser(sessions = 1): Promise<{ id: string; email: string; sessions: Headers[]; first: Headers }> {
  const id = newId()
  const email = `${id}@listd.example`
  await createUser(gateway.deps.db, { id, accountId, email, passwordHash, now: Date.now() })
  const opened: Headers[] = []
  for (let n = 0; n < sessions; n++) opened.push(bearer(await logIn(email)))
  return { id, email, sessions: opened, first: opened[0] ?? {} }
}

async function eventsOf(userId: string) {
  const rows = await gateway.deps.db.all('select * from events where model_id = ? order by id', [userId])
  return rows.map(({ type, attachments, actor, snapshot }) => ({
    type,
    attachments,
    actor,
    snapshot: String(snapshot),
  }))
}

test('whether a user is signed in can be requested without an error, and every other call needs a session', async (t) => {
  const optional = (headers: Headers, query = 'optional=true') => ask({ path: `/auth/self?${query}`, headers })
  const ended = { authorization: 'Bearer listd_session_ended' }
  for (const headers of [{}, ended, { cookie: 'service_session=ended' }])
    t.like(await optional(headers), { status: 200, json: { user: null } })
  t.is((await optional(ended, 'optional=1')).status, 200)
  for (const query of ['', 'optional=false', 'optional=0'])
    t.is(summary(await optional(ended, query)), '401 USER_NOT_AUTHENTICATED')
  t.is(summary(await put(ended, { displayName: 'Ada' })), '401 USER_NOT_AUTHENTICATED')
  const { first, email } = await makeUser()
  t.is(Object((await optional(first)).json?.user).email, email)
})

test('a display name is changed without a password, and no session ends', async (t) => {
  const { id, sessions, first } = await makeUser(2)
  const changed = await put(first, { displayName: '  Ada Lovelace ' })
  t.is(changed.status, 200)
  t.deepEqual(Object.keys(changed.json ?? {}), ['user', 'account', 'plan', 'usage', 'version'])
  t.like(changed.json?.user, { id, displayName: 'Ada Lovelace' })
  t.deepEqual((await self(first)).json, changed.json)
  t.like((await put(first, { displayName: null })).json?.user, { displayName: null })
  for (const session of sessions) t.is((await self(session)).status, 200)
  t.deepEqual(
    (await eventsOf(id)).map(({ type, attachments }) => [type, attachments]),
    Array(2).fill(['user-updated', '{"changed":["displayName"]}']),
  )
})

test('the current email of the user changes nothing, and needs no password', async (t) => {
  const { id, email, sessions, first } = await makeUser(2)
  t.like((await put(first, { email: ` ${email} `, displayName: 'Ada' })).json?.user, { id, email, displayName: 'Ada' })
  t.is((await put(first, { email })).status, 200)
  for (const session of sessions) t.is((await self(session)).status, 200)
  t.deepEqual(
    (await eventsOf(id)).map(({ attachments }) => attachments),
    ['{"changed":["displayName"]}'],
  )
  t.is(summary(await put(first, { email, password })), wrong)
  t.is(summary(await put(first, { email: email.toUpperCase() })), wrong)
})

test('a display name can be changed while NATS and the identity service are down', async (t) => {
  const { user } = await makeAccount(gateway.deps.db)
  t.is((await put(user, { displayName: 'x' })).status, 200)
})

test('with a new password the other sessions end everywhere, and only the new one signs in', async (t) => {
  const { id, email, sessions, first } = await makeUser(3)
  for (const session of sessions) t.is((await self(session, other)).status, 200)
  const changed = await put(first, { password, currentPassword })
  t.is(changed.status, 200)
  for (const session of sessions.slice(1)) {
    t.is(summary(await self(session)), '401 USER_NOT_AUTHENTICATED')
    await until(async () => (await self(session, other)).status === 401)
  }
  for (const at of [gateway, other]) t.is((await self(first, at)).status, 200)
  t.is((await logIn(email)).status, 401)
  t.is((await logIn(email, password)).status, 200)

  const [entry] = await eventsOf(id)
  t.is(entry?.attachments, '{"changed":["password"]}')
  t.is(entry?.actor, JSON.stringify({ authMode: 'user', tokenId: null, identityId: null, userId: id }))
  const snapshot = ['id', 'createdAt', 'updatedAt', 'email', 'displayName', 'lastLoginAt']
  t.deepEqual(Object.keys(JSON.parse(entry?.snapshot ?? '')), snapshot)
})

test('with a new email the other sessions end too, and only it signs in', async (t) => {
  const { email, sessions, first } = await makeUser(2)
  const next = `Next-${email}`
  const changed = await put(first, { email: ` ${next} `, displayName: 'Ada', currentPassword })
  t.like(changed.json?.user, { email: next, displayName: 'Ada' })
  t.is((await self(sessions[1] ?? {})).status, 401)
  t.is((await logIn(email)).status, 401)
  t.is((await logIn(next.toUpperCase())).status, 200)
})

test('without the right current password nothing changes, and no session ends', async (t) => {
  const { id, email, sessions, first } = await makeUser(2)
  for (const body of [
    { password },
    { password, currentPassword: 'wrong' },
    { email: 'x@listd.example', currentPassword: '' },
  ]) {
    t.is(summary(await put(first, { displayName: 'not this', ...body })), wrong, JSON.stringify(body))
  }
  for (const session of sessions) t.like((await self(session)).json?.user, { email, displayName: null })
  t.is((await logIn(email)).status, 200)
  t.deepEqual(await eventsOf(id), [])
})

test('wrong current passwords count like failed logins: after five the user waits, and a correct one clears the count', async (t) => {
  const { email, first } = await makeUser()
  const guess = () => put(first, { password, currentPassword: 'a wrong canary-pass' })
  for (let n = 0; n < 4; n++) t.is(summary(await guess()), wrong)
  t.is((await put(first, { password: currentPassword, currentPassword })).status, 200)
  // The next failure then starts a long wait; a slow machine would outlast the first one.
  for (let n = 0; n < 4; n++) t.is(summary(await guess()), wrong)
  await gateway.deps.db.run('update login_attempts set failures = 13 where failures = 4')
  t.is(summary(await guess()), wrong)
  for (const rejected of [await put(first, { password, currentPassword }), await logIn(email)]) {
    t.is(summary(rejected), '429 IDENTITY_TOO_MANY_ATTEMPTS')
    t.regex(rejected.headers['retry-after'] ?? '', /^\d+$/)
  }
  t.is((await put(first, { displayName: 'x' })).status, 200)
})

test('an email that another user of the installation has is rejected, but only after the right password', async (t) => {
  const { first } = await makeUser()
  const { email } = await makeUser()
  t.is(summary(await put(first, { email, currentPassword: 'wrong' })), wrong)
  const taken = await put(first, { email: email.toUpperCase(), currentPassword })
  t.is(summary(taken), '409 IDENTITY_UNABLE_TO_CREATE')
  // Correct passwords were not counted.
  for (let n = 0; n < 6; n++) t.is((await put(first, { email, currentPassword })).status, 409)
})

const faults: [body: unknown, paths: string[]][] = [
  [{}, ['']],
  [{ currentPassword }, ['']],
  [{ displayName: ' ', email: 'none', password: 'short' }, ['displayName', 'email', 'password']],
  [{ displayName: 'x'.repeat(201) }, ['displayName']],
  [
    { displayName: 'x', lastLoginAt: null, accountId: 'x', passwordHash: 'x' },
    ['accountId', 'lastLoginAt', 'passwordHash'],
  ],
]

for (const [body, paths] of faults) {
  test(`PUT /auth/self of ${JSON.stringify(body).slice(0, 80)} is rejected with every error`, async (t) => {
    const { user } = await makeAccount(gateway.deps.db)
    const rejected = await put(user, body as object)
    t.is(rejected.status, 400)
    t.deepEqual(errorPaths(rejected), paths)
  })
}

const sessionsOf = async (headers: Headers, query = '') => {
  const reply = await ask({ path: `/auth/self/sessions${query}`, headers })
  return { reply, data: Object(reply.json).data as { id: string; current: boolean }[] }
}

test('a user sees their live sessions, newest first, and which is the current one', async (t) => {
  const { id, first } = await makeUser(3)
  const { db } = gateway.deps
  await db.run(
    db.build('sessions').insert({
      id: newId(),
      account_id: accountId,
      kind: 'user',
      subject_id: id,
      token_hash: newId(),
      created_at: 1,
      expires_at: Date.now() - 1,
    }),
  )
  const { reply, data } = await sessionsOf(first)
  t.like(reply.json, { page: 1, limit: 20, total: 3 })
  t.deepEqual(data.map(({ current }) => current), [false, false, true]) // biome-ignore format: one line
  for (const session of data) t.deepEqual(Object.keys(session), ['id', 'createdAt', 'expiresAt', 'current'])
  const [newest] = data
  t.deepEqual((await ask({ path: `/auth/self/sessions/${newest?.id}`, headers: first })).json, newest as object)
  t.deepEqual((await sessionsOf(first, '?order=expiresAt&direction=asc')).data, data.toReversed())
  const walked = await sessionsOf(first, '?limit=2&after=')
  const rest = await sessionsOf(first, `?limit=2&after=${walked.reply.json?.next}`)
  t.deepEqual([...walked.data, ...rest.data], data)
  t.false(JSON.stringify(reply.json).includes(String(first.authorization).slice(7)))
})

test('an ended session is rejected at once here, and everywhere by message', async (t) => {
  const { sessions, first } = await makeUser(2)
  const [, second = {}] = sessions
  t.is((await self(second, other)).status, 200)
  const found = (await sessionsOf(first)).data.find(({ current }) => !current)
  const path = `/auth/self/sessions/${found?.id}`
  const ended = await ask({ method: 'DELETE', path, headers: first })
  t.deepEqual([ended.status, ended.headers['set-cookie']], [204, undefined])
  t.is((await self(second)).status, 401)
  await until(async () => (await self(second, other)).status === 401)
  t.is((await self(first)).status, 200)
  for (const method of ['GET', 'DELETE'] as const) t.is((await ask({ method, path, headers: first })).status, 404)
})

test('a user may end the session of the request, which also removes its cookie', async (t) => {
  const { first } = await makeUser()
  const [current] = (await sessionsOf(first)).data
  const ended = await ask({ method: 'DELETE', path: `/auth/self/sessions/${current?.id}`, headers: first })
  t.is(ended.status, 204)
  t.regex(String(ended.headers['set-cookie']), /^service_session=; Path=\/; Max-Age=0/)
  t.is((await self(first)).status, 401)
})

test('ending all sessions ends the current one too, everywhere, and none of another user', async (t) => {
  const { sessions, first } = await makeUser(2)
  const stranger = await makeUser()
  for (const session of sessions) t.is((await self(session, other)).status, 200)
  const ended = await ask({ method: 'DELETE', path: '/auth/self/sessions', headers: first })
  t.is(ended.status, 204)
  t.regex(String(ended.headers['set-cookie']), /^service_session=; Path=\/; Max-Age=0/)
  for (const session of sessions) {
    t.is((await self(session)).status, 401)
    await until(async () => (await self(session, other)).status === 401)
  }
  t.is((await self(stranger.first)).status, 200)
})

test("another user's session does not exist, not even of the same account", async (t) => {
  const { first } = await makeUser()
  const stranger = await makeUser()
  const [theirs] = (await sessionsOf(stranger.first)).data
  for (const method of ['GET', 'DELETE'] as const) {
    for (const id of [theirs?.id, newId(), 'x', '%00']) {
      const rejected = await ask({ method, path: `/auth/self/sessions/${id}`, headers: first })
      t.is(summary(rejected), '404 REQUESTED_ENTITY_NOT_FOUND')
    }
  }
  t.is((await self(stranger.first)).status, 200)
})
