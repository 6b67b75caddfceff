import test from 'ava'
import { itemBatchRoutes } from '#services/gateway/resources/items/batch/routes.ts'
import { itemDataRoutes } from '#services/gateway/resources/items/data/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList, modifyList } from '../../../../support/databases/contents/lists.ts'
import { makeWebhook } from '../../../../support/databases/contents/rows.ts'
import { makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let changing = ''

const items = '/lists/recipes/items'

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...itemRoutes, ...itemDataRoutes, ...itemBatchRoutes] })
  const { db } = gateway.deps
  account = await makeAccount(db)
  await makeWebhook(db, account)
  const schema = { properties: { title: { type: 'string' } } }
  const indexes = [{ pathName: 'slug', pointer: '/slug', alias: true }]
  await addList(db, account.accountId, { schema, indexes })
  changing = await addList(db, account.accountId, { pathName: 'changing' })
})

const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })

async function create(data: unknown): Promise<string> {
  return `${items}/${(await ask({ method: 'POST', path: items, body: { data } })).json?.id}`
}

/** Everything that a write would change. */
async function stored(): Promise<unknown[]> {
  const { db } = gateway.deps
  const tables = ['items', 'index_values', 'events', 'event_count_shards', 'event_payloads', 'outbox', 'lists']
  return Promise.all(tables.map((table) => db.all(`select * from ${table}`)))
}

const writes: [method: string, path: (item: string) => string, body?: unknown][] = [
  ['POST', () => items, { data: { slug: 'fresh', title: 'x' }, tags: ['a'] }],
  ['PUT', (item) => item, { data: { slug: 'other' }, description: 'y' }],
  ['PUT', (item) => `${item}/data/slug`, { any: 1 }],
  ['POST', (item) => `${item}/data`, { more: [1] }],
  ['PATCH', (item) => `${item}/data`, [{ op: 'add', path: '/l', value: [] }]],
  ['DELETE', (item) => `${item}/data/slug`],
  ['DELETE', (item) => item],
]

for (const [n, [method, pathOf, body]] of writes.entries()) {
  const named = pathOf('/lists/{list}/items/{item}')
  test.serial(`a dry run of ${method} ${named} has the response of the write, and writes nothing`, async (t) => {
    const path = pathOf(await create({ slug: `mine-${n}` }))
    const before = await stored()
    const dry = await ask({ method, path: `${path}?dryRun=true`, body })
    t.deepEqual(await stored(), before)
    const real = await ask({ method, path, body })
    t.is(dry.status, real.status)
    t.is(dry.headers.etag, undefined)
    t.false('etag' in Object(dry.json))
    t.deepEqual(withoutChance(dry), withoutChance(real))
  })
}

/** The item of an answer without its times, its generated id, and its etag, which a dry run does not have. */
function withoutChance({ json = {} }: Reply): unknown {
  const { id: _id, createdAt: _created, updatedAt: _updated, etag: _etag, ...rest } = json
  return rest
}

test.serial('a dry run is rejected if the write would be', async (t) => {
  const item = await create({ slug: 'one' })
  await create({ slug: 'taken' })
  const before = await stored()
  const rejected: [request: Call, name: string][] = [
    [{ method: 'POST', path: items, body: { data: { slug: 'taken' } } }, 'ITEM_ALIAS_TAKEN'],
    [{ method: 'PUT', path: item, body: { data: { slug: 'taken' } } }, 'ITEM_ALIAS_TAKEN'],
    [{ method: 'POST', path: `${item}/data`, body: { slug: 'taken' } }, 'ITEM_ALIAS_TAKEN'],
    [{ method: 'POST', path: items, body: { data: { title: 5 } } }, 'ITEM_SCHEMA_INVALID'],
    [{ method: 'POST', path: `${item}/data`, body: { title: 5 } }, 'ITEM_SCHEMA_INVALID'],
    [{ method: 'PATCH', path: `${item}/data`, body: [{ op: 'remove', path: '/x' }] }, 'ITEM_PATCH_FAILED'],
    [{ method: 'PUT', path: item, body: { version: '0.0.1' } }, 'VALIDATION_FAILED'],
    [{ method: 'DELETE', path: item, headers: { ...account.user, 'if-match': '"9"' } }, 'ITEM_PRECONDITION_FAILED'],
  ]
  for (const [request, name] of rejected) {
    const reply = await ask({ ...request, path: `${request.path}?dryRun=true` })
    t.is(reply.json?.name, name, `${request.method} ${request.path}`)
  }
  const own = await ask({ method: 'PUT', path: `${item}?dryRun=true`, body: { data: { slug: 'one', title: 'x' } } })
  t.is(own.status, 200)
  t.deepEqual(await stored(), before)
})

test.serial('a dry run uses the current settings of the list', async (t) => {
  const path = '/lists/changing/items?dryRun=true'
  t.is((await ask({ method: 'POST', path, body: {} })).status, 201)
  await modifyList(gateway.deps.db, changing, { readonly: true })
  t.is((await ask({ method: 'POST', path, body: {} })).json?.name, 'LIST_READONLY')
})

test.serial('dryRun is true or false', async (t) => {
  t.is((await ask({ method: 'POST', path: `${items}?dryRun=perhaps`, body: {} })).status, 400)
  t.is((await ask({ method: 'POST', path: `${items}?dryRun=false`, body: {} })).headers.etag, '"1"')
})

test.serial(
  'a dry run of a batch names every operation that would be rejected, and responds with the first one',
  async (t) => {
    await create({ slug: 'stored' })
    const before = await stored()
    const batch = (operations: object[], query = '?dryRun=true') =>
      ask({ method: 'POST', path: `${items}/batch${query}`, body: { operations } })
    const operations = [
      { op: 'create', data: { slug: 'dry-3' } },
      { op: 'create', data: { title: 5, slug: 'dry-4' } },
      { op: 'create', data: { slug: 'dry-3' } },
      { op: 'delete', item: 'nothing' },
      { op: 'create', data: { slug: 'stored' } },
      { op: 'create', data: { slug: 'dry-4' } },
    ]
    const reply = await batch(operations)
    t.like(reply.json, { name: 'ITEM_SCHEMA_INVALID', details: { operation: 1 } })
    const { operations: rejected } = Object(reply.json).details
    t.deepEqual(
      rejected.map(({ operation, name }: { operation: number; name: string }) => [operation, name]),
      [
        [1, 'ITEM_SCHEMA_INVALID'],
        [2, 'ITEM_ALIAS_TAKEN'],
        [3, 'REQUESTED_ENTITY_NOT_FOUND'],
        [4, 'ITEM_ALIAS_TAKEN'],
      ],
    )
    t.like(rejected[0].errors[0], { path: 'operations.1.data.title', pointer: '/title' })
    t.like(rejected[1], { message: 'Another item of the list has the alias "dry-3".', errors: [] })
    t.deepEqual(await stored(), before)
    t.is(Object((await batch(operations, '')).json).details.operations, undefined)

    const malformed = Object((await batch([{}, { op: 'create' }, { op: 'delete' }])).json)
    t.like(malformed, { name: 'VALIDATION_FAILED', details: { operation: 0 } })
    t.deepEqual(
      malformed.details.operations.map(({ operation, errors }: { operation: number; errors: { path: string }[] }) => [
        operation,
        errors.map(({ path }) => path),
      ]),
      [
        [0, ['operations.0.op']],
        [2, ['operations.2.item']],
      ],
    )
  },
)
