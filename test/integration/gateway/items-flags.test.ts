import test from 'ava'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList, modifyList } from '../../support/databases/lists.ts'
import { makeAccount, type TestAccount } from '../../support/http/callers.ts'
import { type Call, call } from '../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../support/http/gateway.ts'
import { afterAll } from '../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let token: Record<string, string>

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: itemRoutes })
  account = await makeAccount(gateway.deps.db)
  token = await account.token()
  await addList(gateway.deps.db, account.accountId, { indexes: [{ pathName: 'slug', pointer: '/slug', alias: true }] })
  await addList(gateway.deps.db, account.accountId, { pathName: 'closed', readonly: true })
  await addList(gateway.deps.db, account.accountId, { pathName: 'hidden', activated: false })
})

const ask = (request: Call) => call(gateway.port, { headers: token, ...request })
const create = (body: unknown, list = 'recipes') => ask({ method: 'POST', path: `/lists/${list}/items`, body })
const path = (item: unknown, list = 'recipes') => `/lists/${list}/items/${item}`

test.serial('a readonly item takes no change but one that opens it', async (t) => {
  const { json } = await create({ data: 1, readonly: true })
  const put = (body: object, headers = token) => ask({ method: 'PUT', path: path(json?.id), body, headers })
  for (const headers of [token, account.user]) {
    t.is((await put({ data: 2 }, headers)).json?.name, 'ITEM_READONLY')
    t.is((await ask({ method: 'DELETE', path: path(json?.id), headers })).json?.name, 'ITEM_READONLY')
  }
  t.like((await put({ readonly: false, data: 2 })).json, { readonly: false, data: 2 })
  t.is((await ask({ method: 'DELETE', path: path(json?.id) })).status, 200)
})

test.serial('a user locks an item, and then tokens change nothing of it', async (t) => {
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

test.serial('an item that is not activated is hidden from tokens, not from users', async (t) => {
  const { json } = await create({ data: { slug: 'shy' }, activated: false })
  for (const name of [json?.id, 'shy']) {
    t.is((await ask({ path: path(name) })).status, 404)
    t.is((await ask({ method: 'PUT', path: path(name), body: { activated: true } })).status, 404)
    t.is((await ask({ method: 'DELETE', path: path(name) })).status, 404)
    t.is((await ask({ path: path(name), headers: account.user })).status, 200)
  }
})

test.serial('a readonly list refuses changes, one that is not activated does not exist for tokens', async (t) => {
  t.like(await create({}, 'closed'), { status: 409, json: { name: 'LIST_READONLY' } })
  t.is((await create({}, 'hidden')).status, 404)
  t.is((await ask({ method: 'POST', path: '/lists/hidden/items', headers: account.user, body: {} })).status, 201)
})

test.serial('a change of the list counts from the next request on', async (t) => {
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
