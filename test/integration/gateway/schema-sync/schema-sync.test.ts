import test from 'ava'
import { syncSchemaRoutes } from '#services/gateway/resources/schema-sync/routes.ts'
import type { SyncReport } from '#services/gateway/resources/schema-sync/sync-schema.ts'
import { listsOf, modifyList } from '../../../support/databases/contents/lists.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { type Credentials, makeAccount } from '../../../support/http/callers.ts'
import { call, callRaw, type Reply } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { manyLists } from '../../../support/sync/sync.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
test.before(async () => {
  gateway = await startGateway(cleanup, { routes: syncSchemaRoutes })
})

const title = { pointer: '/title' }

function post(headers: Credentials, body: unknown, query = ''): Promise<Reply> {
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
  return call(gateway.port, { method: 'POST', path: `/sync-schema${query}`, headers: { ...headers, ...type }, body })
}

/** A report, an error, or both. */
type Body = SyncReport & { name: string; requestId: string; details: { errors: { path: string }[]; missing: unknown } }

const bodyOf = (reply: Reply) => (reply.json ?? {}) as unknown as Body
const actions = (reply: Reply) => bodyOf(reply).changes.map(({ action }) => action)
test('a document creates lists and indexes, and the response has the form of the contract', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  const reply = await post(await account.token(), { scope: 'app', lists: { Recipes: { indexes: { Title: title } } } })
  t.is(reply.status, 200)
  const { syncId, planHash, changes, ...rest } = bodyOf(reply)
  t.regex(String(syncId), /^[0-9a-f-]{36}$/)
  t.regex(String(planHash), /^[0-9a-f]{64}$/)
  t.deepEqual(rest, {
    dryRun: false,
    applied: true,
    prune: false,
    scope: 'app',
    blockedBy: null,
    summary: { create: 2, update: 0, adopt: 0, delete: 0, noChange: 0, error: 0, builds: 0, destructive: 0 },
  })
  const [list] = await listsOf(gateway.deps.db, account)
  t.like(list, { path_name: 'Recipes', path_key: 'recipes', scope: 'app', tags: '["app"]', config_version: 1 })
  const [created, index] = changes
  t.deepEqual(created, { resourceType: 'list', list: 'Recipes', action: 'create', listId: String(list?.id) })
  t.like(index, { resourceType: 'index', list: 'Recipes', index: 'title', listId: String(list?.id), action: 'create' })
})

test('applying the same document twice is all no-change and writes nothing', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  const document = { scope: 'app', lists: { a: { schema: { type: 'object' }, indexes: { i: title } } } }
  await post(account.user, document)
  const events = () => gateway.deps.db.get('select count(*) as n from events where account_id = ?', [account.accountId])
  const before = [await listsOf(gateway.deps.db, account), await events()]
  const reply = await post(account.user, document)
  t.deepEqual(actions(reply), ['no-change', 'no-change'])
  t.true(reply.json?.applied)
  t.deepEqual([await listsOf(gateway.deps.db, account), await events()], before)
})

test('a dry run shows the plan and writes nothing', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  const reply = await post(account.user, { lists: { a: {} } }, '?dryRun=true')
  t.like(reply.json, { dryRun: true, applied: false, blockedBy: null })
  t.deepEqual(bodyOf(reply).changes, [{ resourceType: 'list', list: 'a', action: 'create' }])
  t.deepEqual(await listsOf(gateway.deps.db, account), [])
})

test('an apply with the hash of its plan succeeds; with that of another plan it changes nothing', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  await post(account.user, { lists: { a: { name: 'one' } } })
  const document = { lists: { a: { name: 'two' }, b: {} } }
  const { planHash } = (await post(account.user, document, '?dryRun=1')).json ?? {}
  await post(account.user, { lists: { a: { name: 'meanwhile' } } })
  const rejected = await post(account.user, document, `?planHash=${planHash}`)
  t.is(rejected.status, 409)
  t.is(rejected.json?.name, 'SCHEMA_SYNC_PLAN_CHANGED')
  t.deepEqual(
    (await listsOf(gateway.deps.db, account)).map(({ name }) => name),
    ['meanwhile'],
  )
  const anew = (await post(account.user, document, '?dryRun=1')).json?.planHash
  t.is((await post(account.user, document, `?planHash=${anew}`)).status, 200)
})

test('a rejected plan is 422, an error and the whole report at once, and nothing is written', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  const document = { lists: { a: {}, b: { indexes: { i: { sorting: true } } } } }
  for (const query of ['', '?dryRun=true']) {
    const reply = await post(account.user, document, query)
    t.is(reply.status, 422)
    t.like(reply.json, { name: 'SCHEMA_SYNC_PLAN_HAS_ERRORS', code: 21002, applied: false })
    t.is(bodyOf(reply).blockedBy?.name, 'SCHEMA_SYNC_PLAN_HAS_ERRORS')
    t.is(reply.json?.requestId, reply.headers['x-request-id'])
    t.is(typeof reply.json?.message, 'string')
    t.deepEqual(actions(reply), ['create', 'create', 'error'])
    t.is(bodyOf(reply).changes[2]?.errors?.[0]?.name, 'VALIDATION_FAILED')
  }
  t.deepEqual(await listsOf(gateway.deps.db, account), [])
})

test('a document with another scope cannot change the list', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  await post(account.user, { scope: 'app', lists: { a: {} } })
  for (const scope of [{ scope: 'other' }, {}]) {
    const reply = await post(account.user, { ...scope, lists: { a: { name: 'mine' }, b: {} } })
    t.is(reply.status, 422)
    t.like(reply.json, { name: 'SCHEMA_SYNC_SCOPE_CONFLICT', code: 21006, applied: false })
    t.regex(bodyOf(reply).changes[0]?.errors?.[0]?.message ?? '', /managed by the scope app/)
  }
  t.deepEqual(
    (await listsOf(gateway.deps.db, account)).map(({ path_name, name }) => [path_name, name]),
    [['a', 'a']],
  )
})

test('a schema keeps the text that was sent', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  const body =
    '{"lists": {"a": {"schema": {"properties": {"2": {}, "1": {"const": 12345678901234567890}}, "maximum": 1.0}}}}'
  t.is((await post(account.user, body)).status, 200)
  const [list] = await listsOf(gateway.deps.db, account)
  t.is(list?.schema, '{"properties":{"2":{},"1":{"const":12345678901234567890}},"maximum":1.0}')
  const next = await post(account.user, body.replace('890}', '891}'))
  t.regex(next.text, /"from":.*"const":12345678901234567890\}.*"to":.*"const":12345678901234567891\}/)
  t.is(Object(next.json?.summary).update, 1)
})

test('a document that does not match the format is 400 with every error, and nothing is written', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  const reply = await post(account.user, {
    scope: 'a b',
    extra: 1,
    lists: {
      ok: {},
      recipes: {
        pinned: true,
        schema: { type: 'nothing' },
        indexes: { title: { valueType: 'text' }, TITLE: {}, x: { pointer: 'x' } },
      },
      Recipes: { schema: { pattern: '(?=a)b' } },
    },
  })
  t.is(reply.status, 400)
  t.is(reply.json?.name, 'VALIDATION_FAILED')
  const found = errorPaths(reply)
  const lists = ['Recipes', 'recipes.pinned', 'recipes.indexes.title.valueType', 'recipes.indexes.TITLE']
  const paths = [...lists, 'recipes.indexes.x.pointer'].map((path) => `lists.${path}`)
  for (const path of ['extra', 'scope', ...paths]) {
    t.true(found.includes(path), `${path} in ${found}`)
  }
  t.true(found.some((path) => path.startsWith('lists.recipes.schema')))
  t.true(found.some((path) => path.startsWith('lists.Recipes.schema')))
  t.deepEqual(await listsOf(gateway.deps.db, account), [])
})

const malformed: [title: string, body: unknown, query: string, status: number, errors?: string[]][] = [
  ['no body', undefined, '', 400],
  ['an array', '[]', '', 400],
  ['null', 'null', '', 400],
  ['broken JSON', '{"lists":{', '', 400],
  ['a repeated key', '{"lists":{"a":{},"a":{}}}', '', 400],
  ['no lists', {}, '', 400, ['lists']],
  ['lists that are an array', { lists: [] }, '', 400, ['lists']],
  ['lists that are text', { lists: '{"a":{}}' }, '', 400, ['lists']],
  ['__proto__ as a property', '{"lists":{"a":{"__proto__":{"name":"x"}}}}', '', 400, ['lists.a.__proto__']],
  ['prune without a scope', { lists: {}, x: 1 }, '?prune=true', 400, ['prune', 'x']],
  ['prune with an empty scope', { lists: {}, scope: '' }, '?prune=1', 400, ['scope']],
  ['a dryRun that is not a boolean', { lists: {} }, '?dryRun=yes', 400, ['dryRun']],
  ['flags that are false', { lists: {} }, '?prune=false&allowRebuild=0&allowDestructive=false', 200],
  ['an unknown query parameter', { lists: {} }, '?dryrun=1&', 400, ['dryrun']],
]
for (const [title, body, query, status, errors] of malformed) {
  test(`a request is ${status}: ${title}`, async (t) => {
    const account = await makeAccount(gateway.deps.db)
    const reply = await post(account.user, body, query)
    t.is(reply.status, status, reply.text)
    if (errors) t.deepEqual(errorPaths(reply), errors)
    t.deepEqual(await listsOf(gateway.deps.db, account), [])
  })
}

test('a document of 8 MiB is read, one of a byte more is 413', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  const document = (length: number) => `{"lists":{},"$schema":"${'x'.repeat(length - 25)}"}`
  t.is((await post(account.user, document(8 * 1024 * 1024))).status, 200)
  const headers = Object.entries(account.user)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const head = `POST /sync-schema HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n${headers}`
  const answer = await callRaw(gateway.port, `${head}content-length: ${8 * 1024 * 1024 + 1}\r\n\r\n`)
  t.regex(answer, /^HTTP\/1.1 413 /)
  t.true(answer.includes('The body is larger than this route accepts: 8,388,608 bytes.'))
})

test('a document has up to 2,000 lists, and a list in it 50 indexes; one more is 400 and says so', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  const dryRun = await post(account.user, manyLists(2_000, 1, 'asc'), '?dryRun=true')
  t.is(Object(dryRun.json?.summary).create, 4_000)
  for (const [path, document] of [
    ['lists', manyLists(2_001, 0, 'asc')],
    ['lists.list-0.indexes', manyLists(1, 51, 'asc')],
  ] as const) {
    const { status, json } = await post(account.user, document, '?dryRun=true')
    t.like({ status, json }, { status: 400, json: { details: { errors: [{ path }] } } })
  }
})

test('a list with 50 indexes gets no more by a sync: 422, and the change says so', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  t.is((await post(account.user, manyLists(2, 50, 'asc'))).status, 200)
  const full = await post(account.user, { scope: 'big', lists: { 'list-0': { indexes: { more: title } } } })
  t.is(full.status, 422)
  t.regex(full.text, /A list has at most 50 indexes\./)
})

test('a document full of errors gets the first of them, however long its keys', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  const members = (count: number) => Array.from({ length: count }, (_, n) => `"p${n}":0`).join(',')
  const wrong = [`{"lists":{"a":{${members(700_000)}}}}`, `{"lists":{"${'x'.repeat(4_000_000)}":{${members(2_000)}}}}`]
  for (const document of wrong) {
    const { status, json, text } = await post(account.user, document)
    t.is(status, 400)
    t.is(Object(Object(json).details).errors.length, 1_000)
    t.true(text.length < 1_000_000)
  }
})

test('without credentials it is 401', async (t) => {
  t.is((await post({}, { lists: {} })).status, 401)
})

test('a token without sync-schema gets its error before the document is read', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  const reply = await post(await account.token([{ mode: 'allow', action: 'create' }]), { nonsense: true })
  t.is(reply.status, 403)
  t.is(reply.json?.name, 'TOKEN_NOT_AUTHORIZED')
  t.deepEqual(bodyOf(reply).details, { missing: [{ action: 'sync-schema', resourceType: 'list' }] })
})

test('a token that lacks a permission for one change applies nothing, and may still run a dry run', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  const token = await account.token([
    { mode: 'allow', action: 'sync-schema' },
    { mode: 'allow', action: 'create', resourceType: 'list' },
  ])
  const document = { lists: { a: { indexes: { i: title } }, b: {} } }
  const reply = await post(token, document)
  t.is(reply.status, 403)
  t.deepEqual(bodyOf(reply).details, { missing: [{ action: 'create', resourceType: 'index', list: 'a', index: 'i' }] })
  t.deepEqual(await listsOf(gateway.deps.db, account), [])
  t.is((await post(token, document, '?dryRun=true')).status, 200)
})

test('a list that is not activated is hidden from tokens, not from users', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  await post(account.user, { lists: { a: { description: 'canary' } } })
  await modifyList(gateway.deps.db, String((await listsOf(gateway.deps.db, account))[0]?.id), { activated: false })
  const reply = await post(await account.token(), { lists: { a: { description: 'x' } } })
  t.is(reply.status, 422)
  t.is(bodyOf(reply).changes[0]?.errors?.[0]?.name, 'LIST_PATH_NAME_TAKEN')
  t.false(reply.text.includes('canary'))
  t.is((await post(account.user, { lists: { a: { description: 'x' } } })).status, 200)
})

test("another account's lists are neither visible nor changed", async (t) => {
  const [one, two] = [await makeAccount(gateway.deps.db), await makeAccount(gateway.deps.db)]
  await post(one.user, { scope: 'x', lists: { a: { name: 'one' } } })
  t.deepEqual(actions(await post(two.user, { scope: 'y', lists: { a: { name: 'two' } } })), ['create'])
  t.is((await listsOf(gateway.deps.db, one))[0]?.name, 'one')
})

test('a sync logs one line with its ids and counts and nothing of the document', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  const reply = await post(account.user, { lists: { a: { description: 'canary-in-a-document' } } })
  const [line] = gateway.logged().filter(({ syncId }) => syncId === reply.json?.syncId)
  t.like(line, {
    event: 'schema_sync.completed',
    accountId: account.accountId,
    requestId: String(reply.headers['x-request-id']),
    create: 1,
  })
  t.false(JSON.stringify(gateway.logged()).includes('canary-in-a-document'))
})

test('the format of the document is served to editors without credentials', async (t) => {
  const reply = await call(gateway.port, { path: '/schema/sync-v1.json' })
  t.is(reply.status, 200)
  t.is(reply.json?.$schema, 'http://json-schema.org/draft-07/schema#')
  t.is(reply.headers['access-control-allow-origin'], '*')
})
