import test from 'ava'
import { webhookRoutes } from '#services/gateway/resources/webhooks/routes.ts'
import { newId } from '#shared/crypto/ids.ts'
import { makeWebhook } from '../../../support/databases/contents/rows.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let other: TestAccount
let foreignId: string

/** Description, URL and consecutive failures of webhooks, in the order of their creation. */
const rows: [description: string, url: string, failures: number][] = [
  ['Straße', 'https://b.example.com/', 3],
  ['apples', 'https://a.example.com/', 0],
  ['Pears, apples', 'https://C.example.com/', 7],
  ['', 'https://d.example.com/', 0],
]

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: webhookRoutes })
  const { db } = gateway.deps
  account = await makeAccount(db)
  other = await makeAccount(db)
  for (const [n, [description, url, failures]] of rows.entries()) {
    const id = await makeWebhook(db, { accountId: account.accountId, url })
    const changes = { description, created_at: n * 1_000, activated: n !== 3, disabled_at: n === 3 ? 5_000 : null }
    await db.run(db.build('webhooks').where({ id }).update(changes))
    await db.run('update webhook_queues set consecutive_failures = ? where webhook_id = ?', [failures, id])
  }
  foreignId = await makeWebhook(db, { accountId: other.accountId, url: 'https://canary.example.com/' })
  await db.run('update webhooks set id = ? where id = ?', [newId(), foreignId])
})

const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
const hosts = ({ json }: Reply) =>
  (Object(json).data as { url: string }[]).map(({ url }) => url.charAt('https://'.length)).join('')

/** Queries, and the webhooks that each shows, by the first letter of their host. */
const listings: [query: string, shown: string][] = [
  ['', 'dCab'],
  ['?direction=asc', 'baCd'],
  ['?order=url', 'abCd'],
  ['?order=url&direction=desc', 'dCba'],
  ['?order=description', 'daCb'],
  ['?order=failureCount&direction=desc', 'Cbda'],
  ['?order=activated', 'Cabd'],
  ['?order=disabledAt', 'dCab'],
  ['?order=disabledAt&direction=asc', 'dbaC'],
  ['?description=APPLES', 'Ca'],
  ['?description=eq:apples', 'a'],
  ['?description=starts:pear', 'C'],
  ['?description=in:apples,strasse', 'ab'],
  ['?description=eq:', 'd'],
  ['?activated=false', 'd'],
  ['?activated=1&order=url', 'abC'],
  ['?limit=2&page=2', 'ab'],
  ['?limit=2&page=9', ''],
]

for (const [query, shown] of listings) {
  test(`GET /webhooks${query} shows ${shown || 'nothing'}`, async (t) => {
    const reply = await ask({ path: `/webhooks${query}` })
    t.is(reply.status, 200)
    t.is(hosts(reply), shown)
    t.false(reply.text.includes('canary'))
    t.false(reply.text.includes('"secret"'))
  })
}

test('a page by number has page, limit and total', async (t) => {
  const { json } = await ask({ path: '/webhooks?limit=3&activated=true' })
  t.like(json, { page: 1, limit: 3, total: 3 })
  t.deepEqual(Object.keys(json ?? {}), ['page', 'limit', 'total', 'data'])
})

test('a page by cursor has the next cursor and no total, and the walk ends', async (t) => {
  const shown: string[] = []
  for (let after: unknown = ''; after !== null; ) {
    const reply = await ask({ path: `/webhooks?limit=3&order=description&after=${after}` })
    t.deepEqual(Object.keys(reply.json ?? {}), ['limit', 'next', 'data'])
    shown.push(hosts(reply))
    after = reply.json?.next
  }
  t.deepEqual(shown, ['daC', 'b'])
})

const badQueries: [query: string, path: string][] = [
  ['?limit=0', 'limit'],
  ['?limit=101', 'limit'],
  ['?limit=ten', 'limit'],
  ['?page=0', 'page'],
  ['?page=1.5', 'page'],
  ['?order=secret', 'order'],
  ['?direction=up', 'direction'],
  ['?after=nonsense', 'after'],
  ['?activated=maybe', 'activated'],
  ['?url=y', 'url'],
]

for (const [query, path] of badQueries) {
  test(`GET /webhooks${query} is rejected`, async (t) => {
    const { status, json } = await ask({ path: `/webhooks${query}` })
    t.is(status, 400)
    t.like(json, { name: 'VALIDATION_FAILED', details: { errors: [{ path }] } })
  })
}

test('a cursor of another filter is rejected', async (t) => {
  const { json } = await ask({ path: '/webhooks?limit=1&after=' })
  t.is((await ask({ path: `/webhooks?limit=1&after=${json?.next}` })).status, 200)
  t.is((await ask({ path: `/webhooks?limit=1&activated=true&after=${json?.next}` })).status, 400)
})
