import test from 'ava'
import { eventRoutes } from '#services/gateway/resources/events/routes.ts'
import { itemBatchRoutes } from '#services/gateway/resources/items/batch/routes.ts'
import { itemDataRoutes } from '#services/gateway/resources/items/data/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { newId } from '#shared/crypto/ids.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { addList, modifyList } from '../../../../support/databases/contents/lists.ts'
import { makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { type Call, call, visiblePart } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let token: Record<string, string>

test.before(async () => {
  gateway = await startGateway(cleanup, {
    routes: [...itemRoutes, ...itemDataRoutes, ...itemBatchRoutes, ...eventRoutes],
  })
  account = await makeAccount(gateway.deps.db)
  token = await account.token()
  await addList(gateway.deps.db, account.accountId, { indexes: [{ pathName: 'slug', pointer: '/slug', alias: true }] })
  await addList(gateway.deps.db, account.accountId, { pathName: 'closed', readonly: true })
  await addList(gateway.deps.db, account.accountId, { pathName: 'hidden', activated: false })
})

const ask = (request: Call) => call(gateway.port, { headers: token, ...request })
const create = (body: unknown, list = 'recipes') => ask({ method: 'POST', path: `/lists/${list}/items`, body })
const path = (item: unknown, list = 'recipes') => `/lists/${list}/items/${item}`

test.serial('a readonly item accepts only a change that makes it writable', async (t) => {
  const { json } = await create({ data: 1, readonly: true })
  const put = (body: object, headers = token) => ask({ method: 'PUT', path: path(json?.id), body, headers })
  for (const headers of [token, account.user]) {
    t.is((await put({ data: 2 }, headers)).json?.name, 'ITEM_READONLY')
    t.is((await ask({ method: 'DELETE', path: path(json?.id), headers })).json?.name, 'ITEM_READONLY')
  }
  t.like((await put({ readonly: false, data: 2 })).json, { readonly: false, data: 2 })
  t.is((await ask({ method: 'DELETE', path: path(json?.id) })).status, 200)
})

test.serial('if a user locks an item, tokens cannot change it', async (t) => {
  const { json } = await create({ data: 1 })
  const put = (body: object, headers = token) => ask({ method: 'PUT', path: path(json?.id), body, headers })
  t.like(await put({ locked: true }), { status: 403, json: { name: 'USER_MODE_REQUIRED' } })
  t.like((await put({ locked: true }, account.user)).json, { locked: true })
  t.like(await put({ data: 2 }), { status: 409, json: { name: 'ITEM_LOCKED' } })
  t.is((await ask({ method: 'DELETE', path: path(json?.id) })).json?.name, 'ITEM_LOCKED')
  t.is((await ask({ path: path(json?.id) })).status, 200)
  t.is((await put({ data: 3 }, account.user)).status, 200)
  t.is((await put({ locked: false }, account.user)).json?.locked, false)
})

test.serial('an item that is not activated exists for users and for tokens that may update it', async (t) => {
  const { json } = await create({ data: { slug: 'shy' }, activated: false })
  for (const headers of [account.user, token]) {
    for (const name of [json?.id, 'shy'])
      t.like(await ask({ path: path(name), headers }), { status: 200, json: { activated: false } })
  }
  t.like(await ask({ method: 'PUT', path: path('shy'), body: { activated: true } }), {
    status: 200,
    json: { activated: true },
  })
})

/** Every read and every write of an item. */
const callsAbout = (item: unknown, event: unknown): Call[] => [
  ...['', '?version=1.0.0', '/data/slug', '/events?includeSnapshot=true', `/events/${event}`].map((rest) => ({
    path: path(item) + rest,
  })),
  { method: 'PUT', path: path(item), body: { activated: true } },
  { method: 'DELETE', path: path(item) },
  ...['PUT', 'POST'].map((method) => ({ method, path: `${path(item)}/data`, body: {} })),
  { method: 'PATCH', path: `${path(item)}/data`, body: [] },
  { method: 'DELETE', path: `${path(item)}/data/slug` },
  { method: 'POST', path: `${path(item)}/events/${event}/restore` },
  { method: 'POST', path: path('batch'), body: { operations: [{ op: 'update', item, tags: ['x'] }] } },
  { method: 'POST', path: path('batch'), body: { operations: [{ op: 'delete', item }] } },
]

test.serial(
  'a token that may not update it gets the same responses for a deactivated item and for a missing one',
  async (t) => {
    const { json } = await create({ data: { slug: 'hush' }, activated: false })
    const rules = (['create', 'view', 'delete', 'restore'] as const).map((action) => ({
      mode: 'allow' as const,
      action,
    }))
    const elsewhere: PermissionRule = { mode: 'allow', action: 'update', listIds: [newId()] }
    const headers = await account.token([...rules, elsewhere])
    const [event] = Object((await ask({ path: `${path(json?.id)}/events` })).json).data
    const reported = async (request: Call) => visiblePart(await ask({ ...request, headers }))
    for (const [item, nothing] of [
      [json?.id, newId()],
      ['hush', 'no-such-slug'],
    ]) {
      const unknown = callsAbout(nothing, newId())
      for (const [n, request] of callsAbout(item, event.id).entries()) {
        t.like(await ask({ ...request, headers }), { status: 404, json: { name: 'REQUESTED_ENTITY_NOT_FOUND' } })
        t.deepEqual(await reported(request), await reported(unknown[n] as Call))
      }
    }
    const taken = await ask({ method: 'POST', path: '/lists/recipes/items', headers, body: { data: { slug: 'hush' } } })
    t.is(taken.json?.name, 'ITEM_ALIAS_TAKEN', 'aliases are unique among all items')
    await ask({ method: 'DELETE', path: path(json?.id) })
    t.is(
      (await ask({ path: `${path(json?.id)}/events`, headers })).status,
      404,
      'nor are the events of a deleted one there',
    )
    t.is((await ask({ path: `${path(json?.id)}/events` })).status, 200)
  },
)

test.serial('a readonly list rejects changes, and a deactivated one does not exist for tokens', async (t) => {
  t.like(await create({}, 'closed'), { status: 409, json: { name: 'LIST_READONLY' } })
  t.is((await create({}, 'hidden')).status, 404)
  t.is((await ask({ method: 'POST', path: '/lists/hidden/items', headers: account.user, body: {} })).status, 201)
})

test.serial('a change of the list applies from the next request on', async (t) => {
  const id = await addList(gateway.deps.db, account.accountId, { pathName: 'moving' })
  t.is((await create({ data: 'x' }, 'MOVING')).status, 201)
  await modifyList(gateway.deps.db, id, { schema: '{"type":"number"}' })
  t.is((await create({ data: 'x' }, 'MOVING')).json?.name, 'ITEM_SCHEMA_INVALID')
  await modifyList(gateway.deps.db, id, { schema: null, readonly: true })
  t.is((await create({ data: 'x' }, 'MOVING')).json?.name, 'LIST_READONLY')
  await modifyList(gateway.deps.db, id, { readonly: false, activated: false })
  t.is((await create({ data: 'x' }, 'MOVING')).status, 404)
  await modifyList(gateway.deps.db, id, { activated: true, path_name: 'moved', path_key: 'moved' })
  t.is((await create({ data: 'x' }, 'MOVING')).status, 404)
  t.is((await create({ data: 'x' }, 'moved')).status, 201)
  await gateway.deps.db.run('delete from lists where id = ?', [id])
  t.is((await create({ data: 'x' }, 'moved')).status, 404)
})
