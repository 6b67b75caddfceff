import test from 'ava'
import { itemBatchRoutes } from '#services/gateway/resources/items/batch/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { newId } from '#shared/crypto/ids.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { errorPaths } from '../../../../support/http/answers/wire-errors.ts'
import { type Credentials, makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { call, type Reply } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { makeIdentity } from '../../../../support/identity/identities.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let token: Credentials

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...itemRoutes, ...itemBatchRoutes] })
  account = await makeAccount(gateway.deps.db)
  token = await account.token()
  const guard = { pathName: 'secret', pointer: '/secret', guard: true }
  await addList(gateway.deps.db, account.accountId, {
    indexes: [{ pathName: 'slug', pointer: '/meta/slug', alias: true }, guard],
  })
  await addList(gateway.deps.db, account.accountId, {
    pathName: 'numbers',
    indexes: [{ pathName: 'n', pointer: '', valueType: 'number', alias: true }],
  })
  await addList(gateway.deps.db, account.accountId, { pathName: 'plain' })
})

const batch = (operations: unknown, { list = 'recipes', headers = token, query = '' } = {}) =>
  call(gateway.port, { method: 'POST', path: `/lists/${list}/items/batch${query}`, headers, body: { operations } })
const get = (item: string, list = 'recipes') =>
  call(gateway.port, { path: `/lists/${list}/items/${item}`, headers: account.user })
const put = (item: string, more: Record<string, unknown> = {}) => ({
  op: 'put',
  item,
  data: { meta: { slug: item }, ...more },
})
const statuses = ({ json }: Reply) => Object(json).results.map(({ status }: { status: number }) => status)

test.serial('an item is created, and then replaced under its id', async (t) => {
  const created = await batch([{ ...put('soup', { n: 1, secret: 's' }), tags: ['A'] }, put('pie')])
  t.deepEqual(statuses(created), [201, 201])
  const { id } = Object(await get('soup')).json
  const again = await batch([put('soup', { n: 2 }), { op: 'create', data: null }])
  t.deepEqual(statuses(again), [200, 201])
  // Members that the body omits stay, and so do guarded values that a token omits.
  t.like((await get('soup')).json, { id, tags: ['a'], version: '1.0.1', data: { n: 2, secret: 's' } })
})

test.serial('an alias is used as an alias, whatever it looks like', async (t) => {
  const { id } = Object(await get('soup')).json
  t.deepEqual(statuses(await batch([put(id)])), [201])
  t.deepEqual(statuses(await batch([put(id, { n: 3 })])), [200])
  const uuid = newId()
  t.deepEqual(statuses(await batch([put(uuid)])), [201])
  t.is((await get('soup')).json?.id, id)
  t.deepEqual(statuses(await batch([{ op: 'put', item: '7', data: 7 }], { list: 'numbers' })), [201])
  t.deepEqual(statuses(await batch([{ op: 'put', item: '7', data: 7 }], { list: 'numbers' })), [200])
})

const rejected: [what: string, operation: Record<string, unknown>, list: string, path: string][] = [
  [
    'data with another alias',
    { ...put('soup'), data: { meta: { slug: 'stew' } } },
    'recipes',
    'operations.1.data.meta.slug',
  ],
  ['data without an alias', { ...put('soup'), data: { n: 1 } }, 'recipes', 'operations.1.data.meta.slug'],
  [
    'an alias in other letters',
    { ...put('soup'), data: { meta: { slug: 'Soup' } } },
    'recipes',
    'operations.1.data.meta.slug',
  ],
  ['no data', { op: 'put', item: 'soup' }, 'recipes', 'operations.1.data'],
  ['no alias', { op: 'put', data: { meta: { slug: 'x' } } }, 'recipes', 'operations.1.item'],
  ['an empty alias', { op: 'put', item: '', data: {} }, 'recipes', 'operations.1.item'],
  ['an unknown field', { ...put('soup'), extra: 1 }, 'recipes', 'operations.1.extra'],
  ['the state locked', { ...put('soup'), locked: true }, 'recipes', 'operations.1.locked'],
  ['a list without aliases', put('soup'), 'plain', 'operations.1.item'],
  ['an alias that is named twice', put('new'), 'recipes', 'operations.1.item'],
]

for (const [what, operation, list, path] of rejected) {
  test.serial(`put is rejected for ${what}, and nothing is written`, async (t) => {
    const count = async () => (await gateway.deps.db.get('select count(*) as n from events'))?.n
    const before = await count()
    const first = what.includes('twice') ? put('new') : { op: 'create' }
    const reply = await batch([first, operation], { list })
    t.is(reply.status, 400, reply.text)
    t.like(reply.json, { name: 'VALIDATION_FAILED', details: { operation: 1 } })
    t.deepEqual(errorPaths(reply), [path])
    t.is(await count(), before)
  })
}

test.serial('an item that is also named by its id counts as named twice', async (t) => {
  const { id } = Object(await get('soup')).json
  const reply = await batch([{ op: 'update', item: id, tags: [] }, put('soup')])
  t.deepEqual(errorPaths(reply), ['operations.1.item'])
})

test.serial(
  'a token creates and replaces only what its rules allow, and learns nothing of what it may not see',
  async (t) => {
    const only = (...actions: string[]) =>
      account.token(actions.map((action) => ({ mode: 'allow', action, resourceType: 'item' }) as PermissionRule))
    const [creator, updater] = [await only('create'), await only('update')]
    t.deepEqual(statuses(await batch([put('created')], { headers: creator })), [201])
    t.deepEqual(statuses(await batch([put('created')], { headers: updater })), [200])
    t.is((await batch([put('created')], { headers: creator })).json?.name, 'TOKEN_NOT_AUTHORIZED')
    t.is((await batch([put('never')], { headers: updater })).json?.name, 'TOKEN_NOT_AUTHORIZED')
    t.is((await get('never')).status, 404)
    // For a caller that may not know of the item, the alias is in use, as for a create.
    const ada = await makeIdentity(gateway.deps.db, { accountId: account.accountId })
    const authenticate = { mode: 'allow', action: 'authenticate', resourceType: 'identity' } as PermissionRule
    const rules = ['create', 'view-with-identity', 'update-with-identity'].map(
      (action) => ({ mode: 'allow', action, resourceType: 'item' }) as PermissionRule,
    )
    const headers = { ...(await account.token([authenticate, ...rules])), ...ada.headers }
    const byPut = await batch([put('created')], { headers })
    const byCreate = await batch([{ op: 'create', data: { meta: { slug: 'created' } } }], { headers })
    t.like(byPut.json, { name: 'ITEM_ALIAS_TAKEN', details: byCreate.json?.details })
    t.deepEqual(statuses(await batch([put('own')], { headers })), [201])
    t.deepEqual(statuses(await batch([put('own')], { headers })), [200])
  },
)

test.serial('a dry run returns the result, and the alias that is put twice', async (t) => {
  const dry = await batch([put('dry'), put('soup')], { query: '?dryRun=true' })
  t.deepEqual(statuses(dry), [201, 200])
  t.is((await get('dry')).status, 404)
})

test.serial('the same request with its key gets its response again', async (t) => {
  const headers = { ...token, 'idempotency-key': 'put-once' }
  const first = await batch([put('once')], { headers })
  const second = await batch([put('once')], { headers })
  t.deepEqual(statuses(first), [201])
  t.is(second.text, first.text)
})
