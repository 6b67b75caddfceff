import test from 'ava'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { newId } from '#shared/crypto/ids.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { makeWebhook } from '../../../support/databases/contents/rows.ts'
import { type Credentials, makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { makeIdentity, type TestSession } from '../../../support/identity/identities.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let ada: TestSession
let grace: TestSession

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: itemRoutes })
  const { db } = gateway.deps
  account = await makeAccount(db)
  const indexes = [
    { pathName: 'slug', pointer: '/slug', alias: true },
    { pathName: 'secret', pointer: '/secret', guard: true },
  ]
  await addList(db, account.accountId, { indexes })
  await makeWebhook(db, { accountId: account.accountId })
  ada = await makeIdentity(db, { accountId: account.accountId, name: 'Ada', group: 'staff' })
  grace = await makeIdentity(db, { accountId: account.accountId, name: 'Grace' })
})

const items = '/lists/recipes/items'
const allow = (action: PermissionRule['action'], rest: Partial<PermissionRule> = {}): PermissionRule => ({
  mode: 'allow',
  action,
  ...rest,
})
const ownersOnly = (['create', 'view', 'update', 'delete'] as const).map((action) => allow(`${action}-with-identity`))
const authenticate = allow('authenticate')

/** Headers of a token with these rules that acts for an identity. */
async function acting(session: TestSession | null, rules: PermissionRule[] = ownersOnly): Promise<Credentials> {
  return { ...(await account.token([authenticate, ...rules])), ...session?.headers }
}

let slugs = 0
async function create(headers: Credentials, data: object = {}): Promise<Reply & { id: string; slug: string }> {
  const slug = `soup-${++slugs}`
  const body = { data: { slug, ...data } }
  const created = await call(gateway.port, { method: 'POST', path: items, headers, body })
  return { ...created, id: String(created.json?.id), slug }
}

const calls = (item: string): Call[] => [
  { path: `${items}/${item}` },
  { method: 'PUT', path: `${items}/${item}`, body: { description: 'changed' } },
  { method: 'DELETE', path: `${items}/${item}` },
]
const statuses = async (item: string, headers: Credentials) => {
  const found: number[] = []
  for (const request of calls(item)) found.push((await call(gateway.port, { ...request, headers })).status)
  return found
}

test('an item created with identity headers is owned by that identity, in every response, the event and the payload', async (t) => {
  const headers = await acting(ada)
  const created = await create(headers)
  const identity = { id: ada.identityId, displayName: ada.displayName }
  t.is(created.status, 201)
  t.deepEqual(created.json?.identity, identity)
  for (const { json } of [
    await call(gateway.port, { path: `${items}/${created.slug}`, headers }),
    await call(gateway.port, { path: `${items}/${created.id}`, headers: account.user }),
    await call(gateway.port, {
      method: 'PUT',
      path: `${items}/${created.id}`,
      headers: account.user,
      body: { tags: ['x'] },
    }),
    await call(gateway.port, {
      method: 'PUT',
      path: `${items}/${created.id}`,
      headers,
      body: { data: { slug: created.slug } },
    }),
  ]) {
    t.deepEqual(json?.identity, identity)
  }
  const [event] = await gateway.deps.db.all<{ id: string; actor: string; snapshot: string }>(
    'select * from events where model_id = ? order by id',
    [created.id],
  )
  t.like(JSON.parse(event?.actor ?? ''), { authMode: 'token', identityId: ada.identityId })
  t.deepEqual(JSON.parse(event?.snapshot ?? '').identity, identity)
  const payload = await gateway.deps.db.get<{ body: string }>('select body from event_payloads where event_id = ?', [
    event?.id,
  ])
  t.deepEqual(JSON.parse(payload?.body ?? '').data.item.identity, identity)
  t.is(JSON.parse(payload?.body ?? '').data.actor.identityId, ada.identityId)
})

test('without identity headers an item has no owner, and a change by an identity does not make it the owner', async (t) => {
  const created = await create(await acting(null, [allow('create')]))
  t.is(created.json?.identity, null)
  const headers = await acting(ada, [allow('*')])
  const body = { description: 'changed' }
  const changed = await call(gateway.port, { method: 'PUT', path: `${items}/${created.id}`, headers, body })
  t.is(changed.json?.identity, null)
  const named = await call(gateway.port, {
    method: 'POST',
    path: items,
    headers,
    body: { identity: { id: ada.identityId } },
  })
  t.is(named.status, 400)
})

/** Everything that a client can distinguish, without the request id and the date. */
const reported = ({ status, text, headers }: Reply) => ({
  status,
  text: text.replace(headers['x-request-id'] ?? '', ''),
  headers: { ...headers, 'x-request-id': '', date: '' },
})

test("with only -with-identity rules another's item is like an id that never existed, by id and by alias", async (t) => {
  const mine = await create(await acting(ada))
  const nobodys = await create(account.user)
  const headers = await acting(grace)
  for (const item of [mine.id, mine.slug, nobodys.id, nobodys.slug]) {
    const nowhere = calls(item === mine.slug || item === nobodys.slug ? 'no-such-slug' : newId())
    for (const [n, request] of calls(item).entries()) {
      const real = await call(gateway.port, { ...request, headers })
      t.is(real.json?.name, 'REQUESTED_ENTITY_NOT_FOUND')
      t.deepEqual(reported(real), reported(await call(gateway.port, { ...(nowhere[n] as Call), headers })))
    }
  }
  t.deepEqual(await statuses(mine.id, await acting(ada)), [200, 200, 200])
})

/** Statuses of GET, PUT and DELETE of an own item, and of an item of another identity. */
const table: [claim: string, rules: PermissionRule[], own: number[], others: number[]][] = [
  ['all four, for owners', ownersOnly, [200, 200, 200], [404, 404, 404]],
  ['nothing', [], [403, 403, 403], [403, 403, 403]],
  ['seeing its own', [allow('view-with-identity')], [200, 403, 403], [404, 403, 403]],
  ['seeing all, changing its own', [allow('view'), allow('update-with-identity')], [200, 200, 403], [200, 403, 403]],
  ['changing its own, not seeing it', [allow('update-with-identity')], [403, 200, 403], [403, 404, 403]],
  ['seeing all', [allow('view')], [200, 403, 403], [200, 403, 403]],
  [
    'owners of another list only',
    ownersOnly.map((rule) => ({ ...rule, listIds: [newId()] })),
    [404, 404, 404],
    [404, 404, 404],
  ],
  [
    'owners of the group staff',
    ownersOnly.map((rule) => ({ ...rule, groups: ['staff'] })),
    [200, 200, 200],
    [404, 404, 404],
  ],
  [
    'owners of another group',
    ownersOnly.map((rule) => ({ ...rule, groups: ['guests'] })),
    [403, 403, 403],
    [403, 403, 403],
  ],
  [
    'everything but the permissions of owners',
    [allow('*'), ...ownersOnly.map((rule) => ({ ...rule, mode: 'block' as const }))],
    [200, 200, 200],
    [200, 200, 200],
  ],
]
for (const [claim, rules, own, others] of table) {
  test(`permissions with identity: ${claim}`, async (t) => {
    const [mine, hers] = [await create(await acting(ada)), await create(await acting(grace))]
    const headers = await acting(ada, rules)
    t.deepEqual(await statuses(mine.id, headers), own)
    t.deepEqual(await statuses(hers.id, headers), others)
  })
}

test('the -with-identity rules allow nothing without identity headers', async (t) => {
  const { id } = await create(await acting(ada))
  t.deepEqual(await statuses(id, await acting(null)), [403, 403, 403])
  t.is((await create(await acting(null))).status, 403)
})

test('creating needs create or create-with-identity, for this list', async (t) => {
  t.is((await create(await acting(ada, [allow('create')]))).status, 201)
  t.is((await create(await acting(ada, [allow('view-with-identity')]))).status, 403)
  t.is((await create(await acting(ada, [allow('create-with-identity', { listIds: [newId()] })]))).status, 404)
})

test('the owner gets guarded values when it requests them, and no other caller with a token does', async (t) => {
  const rules = [...ownersOnly, allow('view'), allow('update')]
  const [asAda, asGrace] = [await acting(ada, rules), await acting(grace, rules)]
  const path = `${items}?includeGuarded=true`
  const body = { data: { secret: 'canary' } }
  const created = await call(gateway.port, { method: 'POST', path, headers: asAda, body })
  t.like(created.json, { data: body.data, size: JSON.stringify(body.data).length })
  const item = `${items}/${created.json?.id}`
  const read = (headers: Credentials, query: string) => call(gateway.port, { path: `${item}${query}`, headers })
  t.deepEqual((await read(asAda, '?includeGuarded=1')).json?.data, body.data)
  const without = [
    await read(asAda, ''),
    await read(asAda, '?includeGuarded=false'),
    await read(asGrace, '?includeGuarded=true'),
    await read(await acting(null, rules), '?includeGuarded=true'),
    await call(gateway.port, {
      method: 'PUT',
      path: `${item}?includeGuarded=true`,
      headers: asGrace,
      body: { tags: [] },
    }),
  ]
  for (const { status, json, text } of without) {
    t.is(status, 200)
    t.deepEqual(json?.data, {})
    t.false(text.includes('canary'))
  }
  const changed = await call(gateway.port, {
    method: 'PUT',
    path: `${item}?includeGuarded=true`,
    headers: asAda,
    body: { data: { n: 1 } },
  })
  t.deepEqual(changed.json?.data, { n: 1, secret: 'canary' })
  const gone = await call(gateway.port, { method: 'DELETE', path: `${item}?includeGuarded=true`, headers: asAda })
  t.deepEqual(gone.json?.data, { n: 1, secret: 'canary' })
})

test('an item of a deleted identity has no owner, even after it is written', async (t) => {
  const { db } = gateway.deps
  const gone = await makeIdentity(db, { accountId: account.accountId })
  const { id } = await create(await acting(gone))
  await db.run('delete from identities where id = ?', [gone.identityId])
  const headers = account.user
  t.is((await call(gateway.port, { path: `${items}/${id}`, headers })).json?.identity, null)
  const changed = await call(gateway.port, { method: 'PUT', path: `${items}/${id}`, headers, body: { tags: ['x'] } })
  t.is(changed.json?.identity, null)
})

test('an item shows the current name of its owner', async (t) => {
  const { db } = gateway.deps
  const renamed = await makeIdentity(db, { accountId: account.accountId })
  const { id } = await create(await acting(renamed))
  await db.run("update identities set display_name = 'Renamed' where id = ?", [renamed.identityId])
  const read = await call(gateway.port, { path: `${items}/${id}`, headers: account.user })
  t.deepEqual(read.json?.identity, { id: renamed.identityId, displayName: 'Renamed' })
})

test('an identity of another account owns nothing here', async (t) => {
  const stranger = await makeAccount(gateway.deps.db)
  const session = await makeIdentity(gateway.deps.db, { accountId: stranger.accountId })
  const rejected = await create({ ...(await account.token()), ...session.headers })
  t.is(rejected.json?.name, 'IDENTITY_NOT_AUTHENTICATED')
})
