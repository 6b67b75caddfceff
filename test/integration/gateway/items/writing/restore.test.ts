import test from 'ava'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { newId } from '#shared/crypto/ids.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { addList, modifyList } from '../../../../support/databases/contents/lists.ts'
import { makeWebhook } from '../../../../support/databases/contents/rows.ts'
import { type Credentials, makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { textWithoutEtag, withoutEtag } from '../../../../support/http/items.ts'
import { makeIdentity } from '../../../../support/identity/identities.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let token: Credentials

const items = '/lists/recipes/items'

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: itemRoutes })
  const { db } = gateway.deps
  account = await makeAccount(db)
  token = await account.token()
  await makeWebhook(db, account)
  const indexes = [
    { pathName: 'slug', pointer: '/slug', alias: true },
    { pathName: 'secret', pointer: '/secret', guard: true },
  ]
  await addList(db, account.accountId, { indexes })
})

const ask = (request: Call) => call(gateway.port, { headers: token, ...request })

async function create(body: unknown, headers = token): Promise<{ id: string; created: Reply }> {
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
  const created = await ask({ method: 'POST', path: items, body, headers: { ...headers, ...type } })
  return { id: String(created.json?.id), created }
}

/** The ids of an item's events, in the order of their revisions. */
async function eventsOf(id: string): Promise<string[]> {
  const rows = await gateway.deps.db.all<{ id: string }>('select id from events where model_id = ? order by revision', [
    id,
  ])
  return rows.map((row) => row.id)
}

async function restore(id: string, n: number, request: Partial<Call> & { query?: string } = {}): Promise<Reply> {
  const event = (await eventsOf(id))[n] ?? newId()
  const { query = '', ...rest } = request
  return ask({ method: 'POST', path: `${items}/${id}/events/${event}/restore${query}`, ...rest })
}

const put = (id: string, body: unknown, headers = token) =>
  ask({ method: 'PUT', path: `${items}/${id}`, body, headers })
const remove = (id: string) => ask({ method: 'DELETE', path: `${items}/${id}` })

test('an item has the state after the event, byte for byte, as a new version with its own event', async (t) => {
  const data = '{"10":1.50,"2":{"n":12345678901234567890}}'
  const { id, created } = await create(`{"data":${data},"tags":["a"],"description":"first"}`)
  const changed = await put(id, { data: [2], tags: [], description: '', activated: true })
  const restored = await restore(id, 0)
  t.is(restored.status, 200)
  t.like(restored, { headers: { etag: '"3"' }, json: { etag: '"3"' } })
  t.like(restored.json, { id, version: '1.0.2', createdAt: created.json?.createdAt, tags: ['a'], description: 'first' })
  t.true(restored.text.includes(`"data":${data}`))
  t.is((await ask({ path: `${items}/${id}` })).text, restored.text)
  const { db } = gateway.deps
  const last = await db.get<{ id: string; type: string; snapshot: string }>(
    'select id, type, snapshot from events where model_id = ? and revision = 3',
    [id],
  )
  t.like(last, { type: 'item-restored', snapshot: textWithoutEtag(restored.text) })
  const payload = await db.get<{ body: string }>('select body from event_payloads where event_id = ?', [last?.id])
  const { type, data: reported } = JSON.parse(payload?.body ?? '')
  t.is(type, 'item.restored')
  t.deepEqual(reported.previous, withoutEtag(changed.json))
})

test('restoring the current state is rejected, and so is the event that deleted the item', async (t) => {
  const { id } = await create({ data: 1 })
  t.like(await restore(id, 0), { status: 409, json: { name: 'ITEM_UNABLE_TO_RESTORE', code: 12105 } })
  await put(id, { data: 2 })
  await put(id, { data: 1 })
  t.is((await restore(id, 0)).json?.name, 'ITEM_UNABLE_TO_RESTORE')
  await remove(id)
  t.is((await restore(id, 3)).json?.name, 'ITEM_UNABLE_TO_RESTORE')
  t.is((await restore(id, 0)).status, 200)
  t.is((await restore(id, 3)).json?.name, 'ITEM_UNABLE_TO_RESTORE')
})

test('a deleted item is restored under its id, with its owner, its alias and its later versions', async (t) => {
  const ada = await makeIdentity(gateway.deps.db, { accountId: account.accountId })
  const { id, created } = await create({ data: { slug: 'gone' } }, { ...token, ...ada.headers })
  await put(id, { data: { slug: 'gone', n: 2 } })
  await remove(id)
  t.is((await ask({ path: `${items}/gone` })).status, 404)
  const restored = await restore(id, 1)
  t.like(restored, { status: 200, headers: { etag: '"4"' } })
  t.like(restored.json, { id, version: '1.0.2', createdAt: created.json?.createdAt, data: { slug: 'gone', n: 2 } })
  t.deepEqual(restored.json?.identity, { id: ada.identityId, displayName: ada.displayName })
  t.is((await ask({ path: `${items}/gone` })).text, restored.text)
  t.is((await ask({ path: `${items}/${id}?version=1.0.0` })).text, created.text)
  const [, , , event] = await eventsOf(id)
  const payload = await gateway.deps.db.get<{ body: string }>('select body from event_payloads where event_id = ?', [
    event,
  ])
  t.false('previous' in JSON.parse(payload?.body ?? '').data)
})

test('a deleted item whose owner was deleted has none', async (t) => {
  const { db } = gateway.deps
  const bob = await makeIdentity(db, { accountId: account.accountId })
  const { id } = await create({ data: 1 }, { ...token, ...bob.headers })
  await remove(id)
  await db.run('delete from identities where id = ?', [bob.identityId])
  t.is((await restore(id, 0)).json?.identity, null)
})

test('a deleted item can be deleted and restored again, each time as a later version', async (t) => {
  const { id } = await create({ data: 1 })
  for (const n of [1, 2, 3]) {
    t.is((await remove(id)).status, 200)
    t.like((await restore(id, 0)).json, { version: `1.0.${n}` })
  }
  t.is((await eventsOf(id)).length, 7)
})

test('a deleted item is restored with the etag that its deletion returned, and with no other', async (t) => {
  const { id } = await create({ data: 1 })
  const put2 = await put(id, { data: 2 })
  const deleted = await remove(id)
  t.is(deleted.json?.etag, put2.json?.etag)
  const restoreIf = (etag: string) => restore(id, 0, { headers: { ...token, 'if-match': etag } })
  for (const etag of ['"1"', '"3"']) t.is((await restoreIf(etag)).json?.name, 'ITEM_PRECONDITION_FAILED')
  t.like(await restoreIf('"2"'), { status: 200, json: { etag: '"4"' } })
})

test('guarded values are restored too, and tokens do not see them', async (t) => {
  const { user } = account
  const { id } = await create({ data: { secret: 7, open: 1 } }, user)
  await put(id, { data: { secret: 8, open: 2 } }, user)
  t.deepEqual((await restore(id, 0)).json?.data, { open: 1 })
  t.deepEqual((await ask({ path: `${items}/${id}`, headers: user })).json?.data, { secret: 7, open: 1 })
})

test('whether a token can restore an item does not depend on the size or the change of guarded values', async (t) => {
  const { user } = account
  const { id } = await create({ data: { secret: 7, open: 1 } }, user)
  await put(id, { data: { secret: 8, open: 1 } }, user)
  t.is((await restore(id, 0)).json?.name, 'ITEM_UNABLE_TO_RESTORE')
  t.is((await restore(id, 0, { headers: user })).status, 200)
  const { maxBytes } = gateway.deps.config.items
  await put(id, { data: { secret: 'x'.repeat(maxBytes / 2) } }, user)
  await put(id, { data: { open: 'x'.repeat(maxBytes * 0.75) } })
  await put(id, { data: {} })
  t.is((await restore(id, 4)).status, 200)
})

test('the rules of other changes apply: schema, alias, readonly, locked, if-match and dry runs', async (t) => {
  const { user, accountId } = account
  const { id } = await create({ data: { slug: 'mine' } })
  await put(id, { data: {} })
  t.is((await restore(id, 0, { headers: { ...token, 'if-match': '"1"' } })).json?.name, 'ITEM_PRECONDITION_FAILED')
  const dry = await restore(id, 0, { query: '?dryRun=true&includeData=false' })
  t.like(dry, { status: 200, json: { version: '1.0.2', data: undefined } })
  t.is((await eventsOf(id)).length, 2)
  const rival = await create({ data: { slug: 'mine' } })
  t.is((await restore(id, 0)).json?.name, 'ITEM_ALIAS_TAKEN')
  await remove(rival.id)
  await put(id, { locked: true }, user)
  t.is((await restore(id, 0)).json?.name, 'ITEM_LOCKED')
  t.like(await restore(id, 0, { headers: user }), { status: 200, json: { locked: false } })
  await put(id, { data: 1, readonly: true })
  t.is((await restore(id, 0)).json?.name, 'ITEM_READONLY')

  const strict = await addList(gateway.deps.db, accountId, { pathName: 'strict' })
  const created = await ask({ method: 'POST', path: '/lists/strict/items', body: { data: 'text' } })
  await ask({ method: 'PUT', path: `/lists/strict/items/${created.json?.id}`, body: { data: 5 } })
  await modifyList(gateway.deps.db, strict, { schema: '{"type":"number"}' })
  const [event] = await eventsOf(String(created.json?.id))
  const path = `/lists/strict/items/${created.json?.id}/events/${event}/restore`
  t.is((await ask({ method: 'POST', path })).json?.name, 'ITEM_SCHEMA_INVALID')
  await modifyList(gateway.deps.db, strict, { schema: null, readonly: true })
  t.is((await ask({ method: 'POST', path })).json?.name, 'LIST_READONLY')
})

test('a token does not change the lock of an item by restoring it, a user does', async (t) => {
  const { user } = account
  const { id } = await create({ data: 1 })
  await put(id, { locked: true }, user)
  await put(id, { locked: false, data: 2 }, user)
  t.like(await restore(id, 1), { status: 200, json: { locked: false, data: 1 } })
  t.like(await restore(id, 1, { headers: user }), { status: 200, json: { locked: true } })
  t.is((await ask({ method: 'DELETE', path: `${items}/${id}`, headers: user })).status, 200)
  t.is((await restore(id, 0)).json?.name, 'ITEM_LOCKED')
})

test('with identity headers the owner restores its own items, deleted or not, and no others', async (t) => {
  const { db } = gateway.deps
  const own = (['view', 'update', 'delete', 'restore', 'create'] as const).map(
    (action): PermissionRule => ({ mode: 'allow', action: `${action}-with-identity` }),
  )
  const limited = await account.token([{ mode: 'allow', action: 'authenticate' }, ...own])
  const [ada, bob] = await Promise.all(
    [1, 2].map(async () => (await makeIdentity(db, { accountId: account.accountId })).headers),
  )
  const { id } = await create({ data: 1 }, { ...limited, ...ada })
  await put(id, { data: 2 })
  t.is((await restore(id, 0, { headers: { ...limited, ...bob } })).status, 404)
  t.is((await restore(id, 0, { headers: { ...limited, ...ada } })).status, 200)
  await remove(id)
  t.is((await restore(id, 0, { headers: { ...limited, ...bob } })).status, 404)
  t.is((await restore(id, 0, { headers: { ...limited, ...ada } })).status, 200)
})

test('an event of another item, an unknown one and an item that was hidden when it was deleted are 404', async (t) => {
  const [one, other] = [await create({ data: 1 }), await create({ data: 2 })]
  await put(one.id, { data: 3 })
  const [event] = await eventsOf(other.id)
  for (const ref of [event, newId(), 'nonsense']) {
    const path = `${items}/${one.id}/events/${ref}/restore`
    t.like(await ask({ method: 'POST', path }), { status: 404, json: { name: 'REQUESTED_ENTITY_NOT_FOUND' } })
  }
  await put(other.id, { activated: false })
  await ask({ method: 'DELETE', path: `${items}/${other.id}`, headers: account.user })
  const rules = (['view', 'restore'] as const).map((action) => ({ mode: 'allow' as const, action }))
  t.is((await restore(other.id, 0, { headers: await account.token(rules) })).status, 404)
  t.is((await restore(other.id, 0, { headers: account.user })).status, 200)
})
