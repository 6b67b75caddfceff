import test from 'ava'
import { indexRoutes } from '#services/gateway/resources/indexes/routes.ts'
import { itemBatchRoutes } from '#services/gateway/resources/items/batch/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { runBuilds } from '../../../../support/databases/contents/index-jobs.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../../support/http/client.ts'
import { sharedSettings, startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let second: TestGateway
let account: TestAccount
const ids: string[] = []

/** The data of items, in the order of their creation. */
const data = [
  { labels: ['red', 'Green'], scores: [5, 1] },
  { labels: 'green', scores: 7 },
  { labels: ['blue', 'green', 'GREEN'], scores: [] },
  { labels: [], scores: [3, '3'] },
  { labels: [['red']] },
  { labels: ['red', 'blue'], scores: [2, 9] },
]

test.before(async () => {
  const routes = [...itemRoutes, ...itemBatchRoutes, ...indexRoutes]
  gateway = await startGateway(cleanup, { routes })
  second = await startGateway(cleanup, { routes, env: sharedSettings(gateway.deps.config) })
  account = await makeAccount(gateway.deps.db)
  const use = { sorting: true, filtering: true }
  await addList(gateway.deps.db, account.accountId, {
    indexes: [
      { pathName: 'labels', pointer: '/labels', ...use },
      { pathName: 'scores', pointer: '/scores', valueType: 'number', ...use },
    ],
  })
  for (const one of data) {
    const { status, text, json } = await ask({ method: 'POST', body: { data: one } })
    if (status !== 201) throw new Error(text)
    ids.push(String(json?.id))
  }
})

const path = '/lists/recipes/items'
const ask = (request: Partial<Call> = {}, { port } = gateway) => call(port, { path, headers: account.user, ...request })
const shown = ({ json }: Reply) =>
  (Object(json).data ?? []).map(({ id }: { id: string }) => String(ids.indexOf(id))).join('')
const where = (question: unknown) => `where=${encodeURIComponent(JSON.stringify(question))}`

/** Queries, and the items that each shows, newest first unless the query has another order. */
const listings: [query: string, shown: string][] = [
  ['labels=eq:green', '210'],
  ['labels=eq:red&labels=eq:green', '0'],
  ['labels=in:red,blue', '520'],
  ['labels=not:eq:green', '543'],
  ['labels=null', '43'],
  ['labels=not:null', '5210'],
  ['labels=starts:gr', '210'],
  ['labels=ree', '210'],
  ['labels=not:eq:red&labels=not:null', '21'],
  ['scores=gt:4', '510'],
  ['scores=gt:4&scores=lt:3', '50'],
  ['scores=not:gt:4', '432'],
  ['scores=3', '3'],
  ['order=scores', '053124'],
  ['order=scores&direction=desc', '135042'],
  ['order=labels', '250134'],
  ['order=labels&labels=eq:red', '50'],
  ['order=scores&scores=gte:5', '051'],
  [where({ or: [{ labels: 'eq:blue' }, { scores: 7 }] }), '521'],
  [where({ and: [{ labels: 'eq:red' }, { not: { scores: 9 } }] }), '0'],
  [where({ labels: ['eq:red', 'eq:blue'] }), '5'],
]

for (const [query, expected] of listings) {
  test.serial(`filter on arrays ?${decodeURIComponent(query)} shows the items with a matching element`, async (t) => {
    const numbered = await ask({ path: `${path}?${query}` }, second)
    t.is(shown(numbered), expected, numbered.text)
    t.is(numbered.json?.total, query.startsWith('order') && !/&(labels|scores)/.test(query) ? 6 : expected.length)
    let walked = ''
    for (let after: unknown = ''; after !== null; ) {
      const part = await ask({ path: `${path}?${query}&limit=1&after=${after}` })
      walked += shown(part)
      after = part.json?.next
    }
    t.is(walked, expected)
  })
}

test.serial('a walk continues after the first array is written, and with its filters in another order', async (t) => {
  const use = { sorting: true, filtering: true }
  await addList(gateway.deps.db, account.accountId, {
    pathName: 'shelf',
    indexes: [
      { pathName: 'tag', pointer: '/tag', ...use },
      { pathName: 'kind', pointer: '/kind', ...use },
    ],
  })
  const ofShelf = '/lists/shelf/items'
  const write = (tag: unknown) => ask({ method: 'POST', path: ofShelf, body: { data: { tag, kind: 'k' } } })
  for (let n = 0; n < 3; n++) await write('x')
  const first = await ask({ path: `${ofShelf}?tag=eq:x&tag=starts:x&kind=k&alias=not:a&limit=2&after=` })
  await write(['y', 'z'])
  const rest = `limit=2&after=${first.json?.next}`
  const same = await ask({ path: `${ofShelf}?alias=not:a&kind=k&tagged=&tag=starts:x&tag=eq:x&${rest}` })
  t.like(same, { status: 200, json: { next: null } }, same.text)
  t.is(Object(same.json).data.length, 1)
  t.is((await ask({ path: `${ofShelf}?tag=eq:x&kind=k&alias=not:a&${rest}` })).status, 400)
})

test.serial('an index that is created over stored arrays has their elements once it is built', async (t) => {
  const body = { pathName: 'again', pointer: '/labels', filtering: true }
  const created = await ask({ method: 'POST', path: '/lists/recipes/indexes', body })
  t.is(created.status, 201)
  await runBuilds(gateway.deps.db)
  t.is(shown(await ask({ path: `${path}?again=eq:green` })), '210')
  await ask({ method: 'DELETE', path: '/lists/recipes/indexes/again' })
  await runBuilds(gateway.deps.db)
  const left = await gateway.deps.db.get('select count(*) as n from index_elements where index_id = ?', [
    String(created.json?.id),
  ])
  t.is(Number(left?.n), 0)
})

test.serial('changed and deleted items leave no old element in the index', async (t) => {
  const { status } = await ask(
    { method: 'PUT', path: `${path}/${ids[0]}`, body: { data: { labels: ['grey'] } } },
    second,
  )
  t.is(status, 200)
  t.is(shown(await ask({ path: `${path}?labels=eq:red` })), '5')
  t.is(shown(await ask({ path: `${path}?labels=eq:grey` })), '0')
  const batch = [
    { op: 'delete', item: ids[5] },
    { op: 'update', item: ids[2], readonly: true },
    { op: 'create', data: { labels: ['x', 'y'] } },
  ]
  t.is((await ask({ method: 'POST', path: `${path}/batch`, body: { operations: batch } }, second)).status, 200)
  t.is(shown(await ask({ path: `${path}?labels=eq:blue&readonly=true` })), '2')
  const rows = await gateway.deps.db.all<{ item_id: string }>('select distinct item_id from index_elements')
  t.false(rows.some(({ item_id }) => item_id === ids[0] || item_id === ids[5]))
})
