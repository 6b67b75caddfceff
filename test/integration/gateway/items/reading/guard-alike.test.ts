import test, { type ExecutionContext } from 'ava'
import { itemBatchRoutes } from '#services/gateway/resources/items/batch/routes.ts'
import { itemDataRoutes } from '#services/gateway/resources/items/data/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { statsRoutes } from '#services/gateway/resources/stats/routes.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { type Credentials, makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { type Call, call, manyCalls, type Reply } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()

/** Data that look the same to a caller that does not see `/secret`, `/card/pin` and `/list/1/no`, and sees only that `/rows/0` exists. */
const variants = [
  { title: 'x', card: { name: 'y' }, list: [1, { n: 2 }], rows: [null, 4] },
  {
    title: 'x',
    secret: { a: [1] },
    card: { pin: 'p', name: 'y' },
    list: [1, { no: {}, n: 2 }],
    rows: [{ a: 1 }, 4],
  },
  { title: 'x', card: { name: 'y', pin: null }, list: [1, { n: 2, no: [[]] }], rows: [[1], 4], secret: 'text' },
  { secret: ['z'.repeat(20_000)], title: 'x', card: { pin: 1, name: 'y' }, list: [1, { n: 2, no: 5 }], rows: [7, 4] },
]

const pointers = [
  '',
  '/',
  '/title',
  '/secret',
  '/secret/a',
  '/secret/a/0',
  '/secret/0',
  '/secret/-',
  '/secret/b/c',
  '/card',
  '/card/pin',
  '/card/pin/x',
  '/card/none',
  '/list',
  '/list/0',
  '/list/1',
  '/list/1/no',
  '/list/1/no/0',
  '/list/2',
  '/list/-',
  '/list/01',
  '/rows',
  '/rows/0',
  '/rows/0/a',
  '/rows/1',
  '/rows/-',
]
const values: unknown[] = [
  null,
  { a: 1 },
  [2],
  { secret: { a: null } },
  { secret: { b: 1 } },
  { card: {}, secret: [1, 2] },
  { list: [{}, {}] },
]
const operations = pointers.flatMap((path) => [
  { op: 'test', path, value: null },
  { op: 'add', path, value: { b: 1 } },
  { op: 'replace', path, value: [] },
  { op: 'remove', path },
  { op: 'copy', from: path, path: '/seen' },
  { op: 'move', from: path, path: '/seen' },
  { op: 'copy', from: '/title', path },
])

const paths = [
  '$',
  '$..*',
  '$.*',
  '$.secret',
  '$..no',
  '$.rows[0]',
  '$[?count(@..*)>1]',
  '$[?length(@)>0]',
  '$..[?@.pin || @.no]',
  '$[?@==$.rows[0]]',
  "$[?search(@.a[0],'.') || search(@[0],'z{1,500}z')]",
  '$..[?$..[?$..[?$..[?$..*]]]]',
]

const calls: Omit<Call, 'headers'>[] = [
  ...pointers.map((at) => ({ path: `/data${at}?includeGuarded=true` })),
  ...pointers.map((at) => ({ path: `/data${at}?version=1.0.0` })),
  ...pointers.map((at) => ({ method: 'DELETE', path: `/data${at}?dryRun=true` })),
  ...pointers.map((at) => ({ method: 'PATCH', path: `/data${at}?dryRun=true`, body: [] })),
  ...pointers.flatMap((at) =>
    values.flatMap((body) =>
      ['PUT', 'POST', 'POST&merge=rfc7396'].map((verb) => {
        const [method = '', merge = ''] = verb.split('&')
        return { method, path: `/data${at}?dryRun=true&${merge}`, body }
      }),
    ),
  ),
  ...operations.map((operation) => ({ method: 'PATCH', path: '/data?dryRun=true', body: [operation] })),
  ...operations.map((operation) => ({ method: 'PATCH', path: '/data/card?dryRun=true', body: [operation] })),
  ...values.map((data) => ({ method: 'PUT', path: '?dryRun=true', body: { data } })),
  { path: '' },
  { path: '?includeData=false' },
  { path: '/stats?days=1' },
  ...[...pointers.slice(1), '/card,/secret,/list/1/no,/rows/1'].flatMap((fields) =>
    ['', '/data/card'].map((at) => ({ path: `${at}?includeGuarded=true&fields=${fields}` })),
  ),
  ...paths.flatMap((path) =>
    ['', '/data/list'].map((at) => ({
      path: `${at}?includeGuarded=true&path=${encodeURIComponent(path)}`,
    })),
  ),
]

let gateway: TestGateway
let account: TestAccount
let token: Credentials
const agent = manyCalls()
test.after.always(() => agent.destroy())

test.before(async () => {
  gateway = await startGateway(cleanup, {
    routes: [...itemRoutes, ...itemDataRoutes, ...itemBatchRoutes, ...statsRoutes],
  })
  account = await makeAccount(gateway.deps.db)
  token = await account.token()
  const indexes = ['/secret', '/card/pin', '/list/1/no', '/rows/0'].map((pointer, n) => ({
    pathName: `guard-${n}`,
    pointer,
    guard: true,
  }))
  const schema = { properties: { secret: { maxProperties: 1, maxItems: 1 } } }
  await addList(gateway.deps.db, account.accountId, { indexes, schema })
})

const list = '/lists/recipes/items'

/** One item of each variant, by its id. */
async function makeItems(): Promise<string[]> {
  const created = variants.map((data) => asUser({ method: 'POST', path: list, body: { data } }))
  return (await Promise.all(created)).map(({ json }) => String(json?.id))
}

const asUser = (request: Call) => call(gateway.port, { ...request, headers: account.user })

/** The answers to the token about each item. */
function answersAbout(items: readonly string[], requestFor: (id: string, n: number) => Call): Promise<Reply[]> {
  return Promise.all(items.map((id, n) => call(gateway.port, { agent, ...requestFor(id, n), headers: token })))
}

function assertAlike(t: ExecutionContext, replies: readonly Reply[], what: unknown): void {
  const [first = '', ...others] = replies.map(whatDiffersNot)
  t.notRegex(first, /^(401|413|415|429|5..) /, JSON.stringify(what))
  for (const other of others) t.is(other, first, JSON.stringify(what))
}

test('no response to a token reveals a guarded value, or whether there is one', async (t) => {
  const items = await makeItems()
  for (let from = 0; from < calls.length; from += 20) {
    const some = calls.slice(from, from + 20)
    const answers = await Promise.all(
      some.map(({ path, ...request }) => answersAbout(items, (id) => ({ ...request, path: `${list}/${id}${path}` }))),
    )
    for (const [n, replies] of answers.entries()) assertAlike(t, replies, some[n])
  }
})

const batches: ((item: string) => unknown[])[] = [
  (item) => [{ op: 'delete', item }],
  (item) => [{ op: 'update', item, tags: ['a'] }],
  (item) => [{ op: 'update', item, version: '1.0.0' }],
  (item) => [
    { op: 'update', item, data: 1 },
    { op: 'delete', item },
  ],
  ...values.map((data) => (item: string) => [
    { op: 'create', data },
    { op: 'update', item, data },
  ]),
]

test('no response to a batch of a token reveals it', async (t) => {
  const items = await makeItems()
  const statuses = new Set<number>()
  for (const operationsFor of batches) {
    for (const query of ['dryRun=true', 'dryRun=true&includeGuarded=true', 'dryRun=true&includeData=false']) {
      const replies = await answersAbout(items, (item) => ({
        method: 'POST',
        path: `${list}/batch?${query}`,
        body: { operations: operationsFor(item) },
      }))
      assertAlike(t, replies, [operationsFor('ID'), query])
      for (const { status } of replies) statuses.add(status)
    }
  }
  t.deepEqual(statuses, new Set([200, 400]))
})

test('no repeated response for an idempotency key reveals it', async (t) => {
  const items = await makeItems()
  const open = { title: 'x', card: { name: 'y' }, list: [1, { n: 2 }], rows: [null, 4] }
  const send = (key: string, operationsFor: (item: string) => unknown[]) =>
    Promise.all(
      items.map((item, n) => {
        const headers = { ...token, 'idempotency-key': `${key}-${n}` }
        return call(gateway.port, {
          agent,
          method: 'POST',
          path: `${list}/batch`,
          headers,
          body: { operations: operationsFor(item) },
        })
      }),
    )
  for (const [key, operationsFor] of Object.entries<(item: string) => unknown[]>({
    update: (item) => [{ op: 'update', item, data: open }],
    deletion: (item) => [{ op: 'delete', item }],
  })) {
    const first = await send(key, operationsFor)
    t.deepEqual(
      first.map(({ status }) => status),
      items.map(() => 200),
    )
    assertAlike(t, first, key)
    const again = await send(key, operationsFor)
    t.deepEqual(
      again.map(({ text }) => text),
      first.map(({ text }) => text),
    )
  }
})

test('no response to a restore by a token reveals it, or whether a guarded value was different then', async (t) => {
  const items = await makeItems()
  const guarded = [undefined, 'another', { b: 1 }, undefined]
  for (const [n, id] of items.entries()) {
    const path = `${list}/${id}`
    const { secret: _secret, ...others } = variants[n] as Record<string, unknown>
    const { status } = await asUser({ method: 'PUT', path, body: { data: { ...variants[n], title: 'w' } } })
    const data = { ...others, title: 'w', ...(guarded[n] !== undefined && { secret: guarded[n] }) }
    t.deepEqual([status, (await asUser({ method: 'PUT', path, body: { data } })).status], [200, 200])
  }
  const restoreEach = async (revision: number, query = '') => {
    const events = await Promise.all(items.map((id) => eventOf(id, revision)))
    const replies = await answersAbout(items, (id, n) => ({
      method: 'POST',
      path: `${list}/${id}/events/${events[n]}/restore${query}`,
    }))
    assertAlike(t, replies, [revision, query])
    return replies.map(({ status }) => status)
  }
  const all = (status: number) => items.map(() => status)
  t.deepEqual(await restoreEach(3, '?dryRun=true'), all(409))
  t.deepEqual(await restoreEach(2, '?dryRun=true'), all(409))
  t.deepEqual(await restoreEach(1, '?dryRun=true&includeGuarded=true'), all(200))
  t.deepEqual(await restoreEach(1), all(200))
  await Promise.all(items.map((id) => asUser({ method: 'DELETE', path: `${list}/${id}` })))
  t.deepEqual(await restoreEach(5, '?dryRun=true'), all(409))
  t.deepEqual(await restoreEach(3, '?dryRun=true'), all(200))
  t.deepEqual(await restoreEach(2), all(200))
})

async function eventOf(item: string, revision: number): Promise<string> {
  const text = 'select id from events where model_id = ? and revision = ?'
  const row = await gateway.deps.db.get<{ id: string }>(text, [item, revision])
  return String(row?.id)
}

/** An answer without the parts that differ between items and requests: ids, times, and the hash of an id in an etag. */
function whatDiffersNot({ status, headers, text }: Reply): string {
  const same = text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\S{5}T\S{12}Z/g, 'TIME')
  return `${status} ${headers.etag?.replace(/-[\w-]{22}"$/, '-HASH"')} ${same}`
}
