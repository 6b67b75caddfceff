import test from 'ava'
import { itemDataRoutes } from '#services/gateway/resources/items/data/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../support/databases/lists.ts'
import { makeAccount } from '../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../support/http/client.ts'
import { startGateway } from '../../support/http/gateway.ts'
import { afterAll } from '../../support/test-context/shared.ts'

const cleanup = afterAll()

/** The same for who does not see `/secret`, `/card/pin` and `/list/1/no`, and `/rows/0` but for its being there. */
const variants = [
  { title: 'x', card: { name: 'y' }, list: [1, { n: 2 }], rows: [null, 4] },
  {
    ...{ title: 'x', secret: { a: [1] }, card: { pin: 'p', name: 'y' } },
    ...{ list: [1, { no: {}, n: 2 }], rows: [{ a: 1 }, 4] },
  },
  { title: 'x', card: { name: 'y', pin: null }, list: [1, { n: 2, no: [[]] }], rows: [[1], 4], secret: 'text' },
  { secret: ['z'.repeat(20_000)], title: 'x', card: { pin: 1, name: 'y' }, list: [1, { n: 2, no: 5 }], rows: [7, 4] },
]

const pointers = [
  ...['', '/', '/title', '/secret', '/secret/a', '/secret/a/0', '/secret/0', '/secret/-', '/secret/b/c'],
  ...['/card', '/card/pin', '/card/pin/x', '/card/none', '/list', '/list/0', '/list/1', '/list/1/no', '/list/1/no/0'],
  ...['/list/2', '/list/-', '/list/01', '/rows', '/rows/0', '/rows/0/a', '/rows/1', '/rows/-'],
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

const calls: Omit<Call, 'headers'>[] = [
  ...pointers.map((at) => ({ path: `/data${at}?includeGuarded=true` })),
  ...pointers.map((at) => ({ path: `/data${at}?version=1.0.0` })),
  ...pointers.map((at) => ({ method: 'DELETE', path: `/data${at}?dryRun=true` })),
  ...pointers.map((at) => ({ method: 'PATCH', path: `/data${at}?dryRun=true`, body: [] })),
  ...pointers.flatMap((at) =>
    values.flatMap((body) =>
      ['PUT', 'POST', 'POST&merge=rfc7396'].map((verb) => {
        const [method = '', merge = ''] = verb.split('&')
        return { method, path: `/data${at}?dryRun=true&${merge}`, body: JSON.stringify(body) }
      }),
    ),
  ),
  ...operations.map((operation) => ({ method: 'PATCH', path: '/data?dryRun=true', body: [operation] })),
  ...operations.map((operation) => ({ method: 'PATCH', path: '/data/card?dryRun=true', body: [operation] })),
  ...values.map((data) => ({ method: 'PUT', path: '?dryRun=true', body: { data } })),
  { path: '' },
  { path: '?includeData=false' },
]

test('no answer to a token tells what a guarded value is, or whether there is one', async (t) => {
  const gateway = await startGateway(cleanup, { routes: [...itemRoutes, ...itemDataRoutes] })
  const account = await makeAccount(gateway.deps.db)
  const token = { ...(await account.token()), 'content-type': 'application/json' }
  const indexes = ['/secret', '/card/pin', '/list/1/no', '/rows/0'].map((pointer, n) => ({
    ...{ pathName: `guard-${n}`, pointer, guard: true },
  }))
  const schema = { properties: { secret: { maxProperties: 1, maxItems: 1 } } }
  await addList(gateway.deps.db, account.accountId, { indexes, schema })
  const items: string[] = []
  for (const data of variants) {
    const made = await call(gateway.port, {
      ...{ method: 'POST', path: '/lists/recipes/items', headers: account.user, body: { data } },
    })
    items.push(`/lists/recipes/items/${made.json?.id}`)
  }
  const answersTo = ({ path, ...request }: (typeof calls)[number]) =>
    Promise.all(items.map((item) => call(gateway.port, { ...request, headers: token, path: `${item}${path}` })))
  for (let from = 0; from < calls.length; from += 20) {
    const some = calls.slice(from, from + 20)
    const answers = await Promise.all(some.map(answersTo))
    for (const [n, replies] of answers.entries()) {
      const [first = '', ...others] = replies.map(whatDiffersNot)
      for (const other of others) t.is(other, first, JSON.stringify(some[n]))
    }
  }
})

/** An answer without what differs between items and requests: ids and times. */
function whatDiffersNot({ status, headers, text }: Reply): string {
  const same = text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\S{5}T\S{12}Z/g, 'TIME')
  return `${status} ${headers.etag} ${same}`
}
