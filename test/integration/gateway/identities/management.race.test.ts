import test from 'ava'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../support/http/client.ts'
import type { TestGateway } from '../../../support/http/gateway.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'
import { startSigningIn } from '../../../support/identity/signing-in.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const password = 'correct horse battery'
const cleanup = afterAll()
let gateway: TestGateway
let other: TestGateway
let account: TestAccount
let token: Record<string, string>
test.before(async () => {
  ;({ gateway, other } = await startSigningIn(cleanup))
  account = await makeAccount(gateway.deps.db)
  token = await account.token()
})

/** Every second request goes to the other gateway. */
let asked = 0
const ask = (request: Call) => call((asked++ % 2 ? other : gateway).port, { headers: account.user, ...request })
const times = <T>(count: number, work: (n: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, n) => work(n))) // biome-ignore format: one line
const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status).toSorted()
const add = (given: { group?: string; name?: string } = {}) =>
  makeIdentity(gateway.deps.db, { accountId: account.accountId, ...given })
const create = (body: object) => ask({ method: 'POST', path: '/identities', body })
const change = (id: string, body: object) => ask({ method: 'PUT', path: `/identities/${id}`, body })
const login = (body: object) => ask({ method: 'POST', path: '/identities/login', headers: token, body })
const isSignedIn = async (identityToken: unknown) => {
  const headers = { ...token, 'x-identity-token': String(identityToken) }
  return (await call(gateway.port, { path: '/identities/self', headers })).status === 200
}

test('of concurrent creates and registrations of one name exactly one wins', async (t) => {
  const forms = ['R\u00e4ce', 'ra\u0308ce', 'R\u00c4CE', ' R\u00e4ce ']
  const replies = await times(12, (n) => {
    const body = { name: forms[n % 4], password }
    return n % 3 ? create(body) : ask({ method: 'POST', path: '/identities/register', headers: token, body })
  })
  t.deepEqual(statuses(replies), [201, ...Array(11).fill(409)])
})

test('concurrent changes of one identity are all applied, one after the other', async (t) => {
  const { identityId } = await add()
  const bodies = [{ displayName: 'Raced' }, { tags: ['x'] }, { email: 'raced@example.com' }, { name: 'raced' }]
  t.deepEqual(statuses(await times(4, (n) => change(identityId, bodies[n] ?? {}))), [200, 200, 200, 200])
  const { json } = await ask({ path: `/identities/${identityId}` })
  t.like(json, { displayName: 'Raced', tags: ['x'], email: 'raced@example.com', name: 'raced' })
})

test('of identities that choose one name at once exactly one has it', async (t) => {
  const created = await times(6, () => add({ group: 'renamed' }))
  const replies = await times(6, (n) => change(created[n]?.identityId ?? '', { name: n % 2 ? 'WANTED' : 'wanted' }))
  t.deepEqual(statuses(replies), [200, ...Array(5).fill(409)])
})

test('of concurrent deletions one returns 204 and the others 404', async (t) => {
  const { identityId } = await add()
  const replies = await times(8, () => ask({ method: 'DELETE', path: `/identities/${identityId}` }))
  t.deepEqual(statuses(replies), [204, ...Array(7).fill(404)])
})

test('no session with the old password outlives a new one, even from logins in progress', async (t) => {
  const { json } = await create({ name: 'Renewed', password })
  const id = String(json?.id)
  const [changed, ...logins] = await Promise.all([
    change(id, { password: 'another long password' }),
    ...Array.from({ length: 4 }, () => login({ name: 'Renewed', password })),
  ])
  t.is(changed.status, 200)
  t.true(logins.every(({ status }) => status === 200 || status === 401))
  for (const { json: session } of logins) if (session?.token) t.false(await isSignedIn(session.token))
  t.is((await login({ name: 'Renewed', password: 'another long password' })).status, 200)
})

test('no session outlives a deactivation, even from logins in progress', async (t) => {
  const { json } = await create({ name: 'Stopped', password })
  const [changed, ...logins] = await Promise.all([
    change(String(json?.id), { activated: false }),
    ...Array.from({ length: 4 }, () => login({ name: 'Stopped', password })),
  ])
  t.is(changed.status, 200)
  for (const { json: session } of logins) if (session?.token) t.false(await isSignedIn(session.token))
  const left = await gateway.deps.db.all('select id from sessions where subject_id = ?', [String(json?.id)])
  t.deepEqual(left, [])
})

test('of concurrent creates of one group exactly one wins, and its settings apply', async (t) => {
  const replies = await times(6, (n) =>
    ask({ method: 'POST', path: '/identity-groups', body: { name: 'raced', minPasswordLength: 10 + n } }),
  )
  t.deepEqual(statuses(replies), [201, ...Array(5).fill(409)])
  const { json } = await ask({ path: '/identity-groups/raced' })
  t.deepEqual(json, replies.find(({ status }) => status === 201)?.json)
})

test('concurrent changes of one group are all applied, one after the other', async (t) => {
  await ask({ method: 'POST', path: '/identity-groups', body: { name: 'settings' } })
  const all = { sessionIdleSeconds: 60, requireEmail: true, minPasswordLength: 20, sessionLifetimeSeconds: 90 }
  const replies = await Promise.all(
    Object.entries(all).map(([name, value]) =>
      ask({ method: 'PUT', path: '/identity-groups/settings', body: { [name]: value } }),
    ),
  )
  t.deepEqual(statuses(replies), [200, 200, 200, 200])
  t.like((await ask({ path: '/identity-groups/settings' })).json, all)
})

test('if a group is deleted while identities join it, none of them is left without its group', async (t) => {
  const { db } = gateway.deps
  for (let round = 0; round < 4; round++) {
    const group = `joined-${round}`
    await ask({ method: 'POST', path: '/identity-groups', body: { name: group } })
    const replies = await times(8, (n) =>
      n === 3
        ? ask({ method: 'DELETE', path: `/identity-groups/${group}` })
        : create({ group, name: `n${n}`, activated: false }),
    )
    t.true([204, 400].includes(replies[3]?.status ?? 0), replies[3]?.text)
    t.deepEqual(statuses(replies.toSpliced(3, 1)), Array(7).fill(201))
    for (const { json } of replies.toSpliced(3, 1)) {
      t.is((await ask({ path: `/identities/${json?.id}` })).json?.group, group)
    }
  }
  const lost = `select i.id from identities i left join identity_groups g on g.id = i.group_id
    where i.group_id <> '' and g.id is null`
  t.deepEqual(await db.all(lost), [])
})

test('of concurrent deletions of a group one returns 204 and the others 404', async (t) => {
  await ask({ method: 'POST', path: '/identity-groups', body: { name: 'doomed' } })
  const replies = await times(6, () => ask({ method: 'DELETE', path: '/identity-groups/doomed' }))
  t.deepEqual(statuses(replies), [204, ...Array(5).fill(404)])
})
