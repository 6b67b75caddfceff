import test from 'ava'
import { itemBatchRoutes } from '#services/gateway/resources/items/batch/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { newId } from '#shared/crypto/ids.ts'
import { addList, modifyList } from '../../../../support/databases/contents/lists.ts'
import { makeWebhook } from '../../../../support/databases/contents/rows.ts'
import { errorPaths } from '../../../../support/http/answers/wire-errors.ts'
import { type Credentials, makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { type Call, call, callRaw, type Reply } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { withoutEtag } from '../../../../support/http/items.ts'
import { makeIdentity } from '../../../../support/identity/identities.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let token: Credentials
let changing = ''

const items = '/lists/recipes/items'

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...itemRoutes, ...itemBatchRoutes] })
  const { db } = gateway.deps
  account = await makeAccount(db)
  token = await account.token()
  await makeWebhook(db, account)
  const schema = { properties: { title: { type: 'string' } } }
  const indexes = [
    { pathName: 'slug', pointer: '/slug', alias: true },
    { pathName: 'secret', pointer: '/secret', guard: true },
  ]
  await addList(db, account.accountId, { schema, indexes })
  changing = await addList(db, account.accountId, { pathName: 'changing' })
})

const ask = (request: Call) => call(gateway.port, { headers: token, ...request })

const batch = (operations: unknown, { query = '', list = 'recipes', headers = token } = {}) =>
  ask({ method: 'POST', path: `/lists/${list}/items/batch${query}`, headers, body: { operations } })

async function create(data: unknown, more: Record<string, unknown> = {}, headers = token): Promise<string> {
  return String((await ask({ method: 'POST', path: items, body: { data, ...more }, headers })).json?.id)
}

const allowed = 'must be an array of 1 to 1000 operations'
type Result = { status: number; item: Record<string, unknown> }
const resultsOf = ({ json }: Reply) => json?.results as Result[]

/** Everything that a write would change. */
async function stored(): Promise<unknown[]> {
  const { db } = gateway.deps
  const tables = ['items', 'index_values', 'item_tags', 'events', 'event_payloads', 'outbox', 'lists']
  return Promise.all(tables.map((table) => db.all(`select * from ${table}`)))
}

test.serial('creates, updates and deletions are executed together, each with its result in order', async (t) => {
  const [one, two] = [await create({ slug: 'batch-one' }), await create({ slug: 'batch-two' })]
  const reply = await batch([
    { op: 'create', data: { slug: 'fresh' }, tags: ['A'], version: '2.0.0' },
    { op: 'update', item: 'batch-one', data: { n: 1 } },
    { op: 'delete', item: two },
    { op: 'create' },
  ])
  t.is(reply.status, 200)
  t.is(reply.headers.etag, undefined)
  const results = resultsOf(reply)
  t.deepEqual(
    results.map(({ status }) => status),
    [201, 200, 200, 201],
  )
  t.like(results[0]?.item, { data: { slug: 'fresh' }, tags: ['a'], version: '2.0.0' })
  t.like(results[1]?.item, { id: one, data: { n: 1 }, version: '1.0.1' })
  t.like(results[2]?.item, { id: two, data: { slug: 'batch-two' }, version: '1.0.0' })
  t.is(results[3]?.item.data, null)
  t.deepEqual((await ask({ path: `${items}/fresh` })).json, results[0]?.item)
  t.deepEqual((await ask({ path: `${items}/${one}` })).json, results[1]?.item)
  t.is((await ask({ path: `${items}/${two}` })).status, 404)
  const types = await gateway.deps.db.all<{ type: string }>(
    'select e.type from events e join outbox o on o.event_id = e.id order by e.created_at desc, e.id desc limit 4',
  )
  t.deepEqual(
    types.map(({ type }) => type).toReversed(),
    ['created', 'updated', 'deleted', 'created'].map((type) => `item-${type}`),
  )
})

test.serial('data keeps the text that was sent, except for white space', async (t) => {
  const data = '{"10":1.50, "2":12345678901234567890, "data":[1e400]}'
  const body = `{"operations":[{"item":"unused"},{"op":"create","data":${data}}]}`
  const headers = { ...token, 'content-type': 'application/json' }
  const path = `${items}/batch`
  const reply = await ask({ method: 'POST', path, headers, body: body.replace('{"item":"unused"},', ' ') })
  t.true(reply.text.includes(`"data":${data.replaceAll(' ', '')}`))
})

test.serial('a thousand operations are one batch, and one more is rejected', async (t) => {
  const creates = Array.from({ length: 1_000 }, (_, n) => ({ op: 'create', data: { slug: `many-${n}` } }))
  const created = resultsOf(await batch(creates, { query: '?includeData=false' }))
  t.is(created.length, 1_000)
  t.true(created.every(({ status, item }) => status === 201 && !('data' in item)))
  const changes = created.map(({ item }, n) =>
    n % 2
      ? { op: 'update', item: n % 4 === 1 ? item.id : `many-${n}`, description: `${n}` }
      : { op: 'delete', item: item.id },
  )
  const changed = await batch(changes)
  t.is(changed.status, 200)
  t.deepEqual(
    resultsOf(changed).map(({ item }) => item.id),
    created.map(({ item }) => item.id),
  )
  const reply = await batch([...creates, { op: 'create' }])
  t.is(reply.status, 400)
  t.deepEqual(errorPaths(reply), ['operations'])
})

test.serial(
  'one error is the response, with the index of its operation and an alias in use, and nothing is written',
  async (t) => {
    const { user } = account
    const item = await create({ slug: 'mine' })
    await create({ slug: 'taken' })
    const frozen = await create(1, { readonly: true })
    const locked = await create(1)
    await ask({ method: 'PUT', path: `${items}/${locked}`, headers: user, body: { locked: true } })
    const before = await stored()
    const rejected: [operation: unknown, name: string, paths?: string[]][] = [
      [{ op: 'create', data: { title: 5 } }, 'ITEM_SCHEMA_INVALID', ['operations.1.data.title']],
      [{ op: 'create', data: { slug: 'taken' } }, 'ITEM_ALIAS_TAKEN'],
      [{ op: 'update', item, data: { slug: 'fresh-1' } }, 'ITEM_ALIAS_TAKEN'],
      [{ op: 'create', data: { slug: 'x'.repeat(1_025) } }, 'VALIDATION_FAILED', ['operations.1.data.slug']],
      [{ op: 'update', item, version: '0.0.1' }, 'VALIDATION_FAILED', ['operations.1.version']],
      [{ op: 'update', item, locked: true }, 'USER_MODE_REQUIRED'],
      [{ op: 'update', item: newId(), tags: [] }, 'REQUESTED_ENTITY_NOT_FOUND'],
      [{ op: 'delete', item: 'nothing' }, 'REQUESTED_ENTITY_NOT_FOUND'],
      [{ op: 'delete', item: frozen }, 'ITEM_READONLY'],
      [{ op: 'update', item: frozen, tags: [] }, 'ITEM_READONLY'],
      [{ op: 'delete', item: locked }, 'ITEM_LOCKED'],
      [{ op: 'create', data: 'x'.repeat(1024 * 1024) }, 'PAYLOAD_TOO_LARGE'],
    ]
    for (const query of ['', '?dryRun=true']) {
      for (const [operation, name, paths] of rejected) {
        const reply = await batch([{ op: 'create', data: { slug: 'fresh-1' } }, operation, { op: 'create' }], { query })
        t.like(reply.json, { name, details: { operation: 1 } })
        t.is(Object(reply.json).details.alias, name === 'ITEM_ALIAS_TAKEN' ? Object(operation).data.slug : undefined)
        if (paths) t.deepEqual(errorPaths(reply), paths)
      }
    }
    t.deepEqual(await stored(), before)
  },
)

test.serial('an item that is named twice is rejected at its second operation, even by its alias', async (t) => {
  const item = await create({ slug: 'named' })
  for (const ref of [item, 'named']) {
    const reply = await batch([{ op: 'update', item, data: 1 }, { op: 'create' }, { op: 'delete', item: ref }])
    t.like(reply.json, { name: 'VALIDATION_FAILED', details: { operation: 2 } })
    t.deepEqual(errorPaths(reply), ['operations.2.item'])
  }
})

test.serial('the format of a body is checked at once, in every operation', async (t) => {
  const wrong: [operation: unknown, paths: string[]][] = [
    [{}, ['op']],
    [5, ['']],
    [{ op: 'merge' }, ['op']],
    [{ op: 'create', item: 'x' }, ['item']],
    [{ op: 'create', locked: true }, ['locked']],
    [{ op: 'create', tags: 'x', readonly: 1 }, ['tags', 'readonly']],
    [{ op: 'update', data: 1 }, ['item']],
    [{ op: 'update', item: 'x' }, ['']],
    [{ op: 'delete', item: 'x', data: 1 }, ['data']],
    [{ op: 'delete', item: '' }, ['item']],
    [JSON.parse('{"op":"create","__proto__":{"readonly":true}}'), ['__proto__']],
  ]
  const reply = await batch([{ op: 'create' }, ...wrong.map(([operation]) => operation)])
  t.like(reply.json, { name: 'VALIDATION_FAILED', details: { operation: 1 } })
  const expected = wrong.flatMap(([, paths], n) =>
    paths.map((path) => `operations.${n + 1}.${path}`.replace(/\.$/, '')),
  )
  t.deepEqual(errorPaths(reply), expected.toSorted())
  const many = (data: string) => Array.from({ length: 1_001 }, () => ({ op: 'create', data }))
  const [short, long] = [await batch(many('')), await batch(many('x'.repeat(100)))]
  t.deepEqual(short.json?.details, {
    errors: [{ path: 'operations', message: allowed, msg: allowed }],
  })
  t.deepEqual(long.json?.details, short.json?.details)
  for (const body of [{}, { operations: {} }, { operations: [] }, { operations: [{ op: 'create' }], more: 1 }, [], 1]) {
    t.is(
      (await ask({ method: 'POST', path: `${items}/batch`, body: JSON.stringify(body), headers: json() })).status,
      400,
    )
  }
})

const json = () => ({ ...token, 'content-type': 'application/json' })

test.serial('a body may have 8 MiB, and a batch may change 32 MiB', async (t) => {
  const operation = (size: number) => ({ op: 'create', data: 'x'.repeat(size) })
  const eight = Array.from({ length: 8 }, () => operation(1024 * 1024 - 200))
  const created = await batch(eight)
  t.is(created.status, 200)
  const { 'x-api-token': value } = token
  const head = `POST ${items}/batch HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-token: ${value}\r\ncontent-type: application/json`
  const answer = await callRaw(gateway.port, `${head}\r\ncontent-length: ${8 * 1024 * 1024 + 1}\r\n\r\n`)
  t.regex(answer, /^HTTP\/1.1 413 /)
  const others = await Promise.all([1, 2, 3, 4].map(() => batch(eight)))
  const all = [created, ...others].flatMap(resultsOf).map(({ item }) => ({ op: 'delete', item: item.id }))
  t.like(await batch(all), { status: 413, json: { name: 'PAYLOAD_TOO_LARGE' } })
  t.is((await batch(all.slice(0, 8), { query: '?includeData=false' })).status, 200)
})

test.serial('a dry run has the same response as the batch, and writes nothing', async (t) => {
  const item = await create({ slug: 'dry' })
  const before = await stored()
  const operations = [
    { op: 'create', data: { slug: 'dry-2' } },
    { op: 'update', item, data: 2 },
  ]
  const dry = resultsOf(await batch(operations, { query: '?dryRun=true' }))
  t.deepEqual(await stored(), before)
  const real = resultsOf(await batch(operations))
  const lasting = ({ status, item }: Result) => {
    const { id: _id, createdAt: _c, updatedAt: _u, ...rest } = withoutEtag(item)
    return { status, rest }
  }
  t.true(dry.every(({ item }) => !('etag' in item)))
  t.deepEqual(dry.map(lasting), real.map(lasting))
})

test.serial('each operation needs its own permission, on its own item', async (t) => {
  const [one, two] = [await create(1), await create(2)]
  const limited = await account.token([
    { mode: 'allow', action: 'create', resourceType: 'item' },
    { mode: 'allow', action: 'view', resourceType: 'item' },
    { mode: 'allow', action: 'update', itemIds: [one] },
  ])
  const as = { headers: limited }
  t.is((await batch([{ op: 'create' }, { op: 'update', item: one, data: 1 }], as)).status, 200)
  const other = await batch([{ op: 'create' }, { op: 'update', item: two, data: 1 }], as)
  t.like(other, { status: 403, json: { name: 'TOKEN_NOT_AUTHORIZED', details: { operation: 1 } } })
  const deletion = await batch([{ op: 'delete', item: one }], as)
  t.like(deletion, { status: 403, json: { name: 'TOKEN_NOT_AUTHORIZED', details: { operation: 0 } } })
  t.is((await batch([{ op: 'create' }], { ...as, list: 'unknown' })).status, 404)
})

test.serial('a dry run responds alike for hidden and for missing items', async (t) => {
  const item = await create(1)
  const headers = await account.token([{ mode: 'allow', action: '*', listIds: [changing] }])
  const dry = async (id: string, list: string) => {
    const operations = [{ op: 'update', item: id, data: 1 }, { op: 'create' }, { op: 'delete', item: id }]
    const { status, json } = await batch(operations, { query: '?dryRun=true', list, headers })
    return { status, ...json, requestId: '' }
  }
  const missing = await dry(newId(), newId())
  t.deepEqual(await dry(newId(), 'recipes'), missing)
  t.deepEqual(await dry(item, 'recipes'), missing)
  t.is(missing.status, 404)
})

test.serial('with identity headers created items have an owner, and the items of others do not exist', async (t) => {
  const { accountId } = account
  const own = (['create', 'view', 'update', 'delete'] as const).map((action) => ({
    mode: 'allow' as const,
    action: `${action}-with-identity` as const,
  }))
  const rules = await account.token([{ mode: 'allow', action: 'authenticate' }, ...own])
  const [ada, bob] = [1, 2].map(() => makeIdentity(gateway.deps.db, { accountId }))
  const as = async (identity = ada) => ({ headers: { ...rules, ...(await identity)?.headers } })
  const created = resultsOf(await batch([{ op: 'create' }], await as()))[0]?.item
  t.like(created, { identity: { id: (await ada)?.identityId } })
  const update = [{ op: 'update', item: created?.id, data: 1 }]
  t.like(await batch(update, await as(bob)), { status: 404, json: { details: { operation: 0 } } })
  t.is((await batch(update, await as())).status, 200)
})

test.serial('tokens do not see guarded values, and keep those that they omit', async (t) => {
  const item = await create({ secret: 1, open: 1 }, {}, account.user)
  const [updated] = resultsOf(await batch([{ op: 'update', item, data: { open: 2 } }]))
  t.deepEqual(updated?.item.data, { open: 2 })
  const [deleted] = resultsOf(await batch([{ op: 'delete', item }], { headers: account.user }))
  t.deepEqual(deleted?.item.data, { open: 2, secret: 1 })
})

test.serial('a readonly list rejects every operation', async (t) => {
  const list = 'changing'
  const created = resultsOf(await batch([{ op: 'create' }], { list }))[0]?.item
  await modifyList(gateway.deps.db, changing, { readonly: true })
  for (const operation of [{ op: 'create' }, { op: 'delete', item: created?.id }]) {
    t.like((await batch([operation], { list })).json, { name: 'LIST_READONLY', details: { operation: 0 } })
  }
})
