import test from 'ava'
import { itemDataRoutes } from '#services/gateway/resources/items/data/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { errorPaths, errorsOf } from '../../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { call } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let token: Record<string, string>
let item: string

const data = '{"10":1.50,"2":[{"n":9007199254740993,"t":"a"},{"n":1e400}],"t":"\\u00e9","secret":{"n":7}}'
const list = '/lists/recipes/items'

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...itemRoutes, ...itemDataRoutes] })
  account = await makeAccount(gateway.deps.db)
  const asUser = { ...account.user, 'content-type': 'application/json' }
  token = { ...(await account.token()), 'content-type': 'application/json' }
  await addList(gateway.deps.db, account.accountId, {
    indexes: [{ pathName: 'secret', pointer: '/secret', guard: true }],
  })
  const created = await call(gateway.port, {
    method: 'POST',
    path: list,
    headers: asUser,
    body: `{"data":${data}}`,
  })
  item = `${list}/${created.json?.id}`
  await call(gateway.port, { method: 'POST', path: list, headers: asUser, body: '{"data":"text"}' })
})

const ask = (path: string, query: Record<string, string>, headers = token) =>
  call(gateway.port, { path: `${path}?${new URLSearchParams(query)}`, headers })

const views: [query: Record<string, string>, shown: string, ofText: string][] = [
  [{ path: '$..n' }, '[9007199254740993,1e400]', '[]'],
  [{ path: '$.*' }, '[1.50,[{"n":9007199254740993,"t":"a"},{"n":1e400}],"\\u00e9"]', '[]'],
  [{ path: '$.nothing' }, '[]', '[]'],
  [{ fields: '/t,/10' }, '{"10":1.50,"t":"\\u00e9"}', 'null'],
  [{ fields: '/2/1/n,/secret/n' }, '{"2":[null,{"n":1e400}]}', 'null'],
  [{ fields: '/2', path: '$..t' }, '["a"]', '[]'],
]
for (const [query, shown, ofText] of views) {
  test(`every read shows ${shown} for ${JSON.stringify(query)}`, async (t) => {
    const one = await ask(item, query)
    t.true(one.text.includes(`"data":${shown},"version"`), one.text)
    t.is((await ask(`${item}/data`, query)).text, shown)
    const order = { order: 'createdAt', direction: 'asc' }
    const page = await ask(list, { ...query, ...order, includeData: 'true' })
    for (const text of [shown, ofText]) t.true(page.text.includes(`"data":${text},"version"`), page.text)
    t.true((await ask(`${list}/data`, { ...query, ...order })).text.endsWith(`"data":[${shown},${ofText}]}`))
  })
}

test('after a pointer they start at its value, and a page also has them for items without one', async (t) => {
  t.is((await ask(`${item}/data/2`, { path: '$[*].n' })).text, '[9007199254740993,1e400]')
  t.is((await ask(`${item}/data/2/0`, { fields: '/t' })).text, '{"t":"a"}')
  const page = await ask(`${list}/data/2`, { path: '$[0]', direction: 'asc' })
  t.true(page.text.endsWith('"data":[[{"n":9007199254740993,"t":"a"}],[]]}'), page.text)
})

test('a caller that sees guarded values can choose them too, and size and etag stay those of the item', async (t) => {
  t.is((await ask(`${item}/data`, { path: '$..n' }, account.user)).text, '[9007199254740993,1e400,7]')
  const [whole, chosen] = await Promise.all([ask(item, {}), ask(item, { path: '$.t' })])
  t.deepEqual([chosen.json?.size, chosen.json?.etag], [whole.json?.size, whole.json?.etag])
})

test('a page continues with another choice, and total and next are the same', async (t) => {
  const first = await ask(list, { path: '$.t', includeData: 'true', limit: '1', after: '' })
  const next = await ask(list, { fields: '/t', includeData: 'true', limit: '1', after: String(first.json?.next) })
  t.is(next.status, 200, next.text)
  t.is((await ask(list, { path: '$.t', includeData: 'true' })).json?.total, 2)
})

test('a choice without data to choose from is an error that names it', async (t) => {
  for (const path of [`${list}`, `${item}`]) {
    const reply = await ask(path, { path: '$', fields: '/t', includeData: 'false' })
    t.deepEqual(errorPaths(reply), ['fields', 'path'])
    t.is(errorsOf(reply)[0]?.message, 'needs includeData=true')
  }
})

test('an expensive path is an error that names it', async (t) => {
  for (const at of [item, `${item}/data`, `${list}/data`]) {
    const reply = await ask(at, { path: '$..[?$..[?$..[?$..[?$..[?$..*]]]]]' })
    t.is(reply.status, 400, reply.text)
    t.deepEqual(errorPaths(reply), ['path'])
    t.regex(String(errorsOf(reply)[0]?.message), /^"path" takes more than 100000 steps/)
  }
})
