import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { newId } from '#shared/crypto/ids.ts'
import { addList } from '../../support/databases/lists.ts'
import { makeWebhook } from '../../support/databases/rows.ts'
import { makeAccount, type TestAccount } from '../../support/http/callers.ts'
import { call, type Reply } from '../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../support/http/gateway.ts'
import { makeIdentity } from '../../support/identity/identities.ts'
import { afterAll } from '../../support/test-context/shared.ts'
import { fanOut } from '../../support/webhooks/cycles.ts'

/** A body that a route would accept from the owner: what is told must not depend on getting that far. */
const bodies: Record<string, unknown> = {
  'PUT /lists/{list}': { name: 'Mine now' },
  'POST /lists/{list}/items': { data: { title: 'Mine' } },
  'PUT /lists/{list}/items/{item}': { data: { title: 'Mine now' } },
  'PUT /webhooks/{webhook}': { description: 'Mine now' },
  'POST /webhooks/{webhook}/deliveries/redeliver': { status: 'failed', since: '2026-01-01T00:00:00.000Z' },
}

const name = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const addressed = routes.filter(({ path, permission }) => path.includes('{') && permission !== 'public')

const cleanup = afterAll()
let gateway: TestGateway
let stranger: TestAccount
/** Ids of what the owner has, by the name of the path's parameter, and of what the stranger has. */
let owned: Record<string, string>
let own: Record<string, string>

test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
  const owner = await makeAccount(gateway.deps.db)
  stranger = await makeAccount(gateway.deps.db)
  owned = await fillAccount(gateway, owner, 'secrets')
  const { list, webhook } = await fillAccount(gateway, stranger, 'mine')
  own = { list: String(list), webhook: String(webhook) }
})

/** One of everything that has an id. */
async function fillAccount(
  { deps: { db }, port }: TestGateway,
  account: TestAccount,
  pathName: string,
): Promise<Record<string, string>> {
  const { accountId, user } = account
  const indexes = [{ pathName: 'slug', pointer: '/slug', alias: true }]
  const list = await addList(db, accountId, { pathName, indexes })
  const webhook = await makeWebhook(db, { accountId })
  const body = { data: { slug: 'hidden', title: 'The private one' } }
  const item = await call(port, { method: 'POST', path: `/lists/${list}/items`, headers: user, body })
  await fanOut(db)
  const first = async (sql: string, id: string) => String((await db.get<{ id: string }>(sql, [id]))?.id)
  const { identityId } = await makeIdentity(db, { accountId, name: 'ann' })
  return {
    ...{ list, webhook, identity: identityId, item: String(item.json?.id) },
    index: await first('select id from indexes where list_id = ?', list),
    event: await first('select id from events where list_id = ? limit 1', list),
    delivery: await first('select id from deliveries where webhook_id = ?', webhook),
  }
}

function fill(path: string, ids: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_whole, parameter: string) => ids[parameter] ?? newId())
}

/** What a client can see of an answer, but for what differs in every one. */
function shown({ status, headers, text, json }: Reply): unknown {
  const { date: _date, 'x-request-id': requestId, ...others } = headers
  return { status, headers: others, text: text.replaceAll(String(requestId ?? json?.requestId), 'ID') }
}

for (const route of addressed) {
  test(`${name(route)}: what is in another account is answered like an id that never existed`, async (t) => {
    const callers = route.permission === 'user' ? [stranger.user] : [stranger.user, await stranger.token()]
    for (const headers of callers) {
      const ask = (ids: Record<string, string>) =>
        call(gateway.port, { method: route.method, path: fill(route.path, ids), headers, body: bodies[name(route)] })
      const foreign = await ask(owned)
      t.is(foreign.status, 404, foreign.text)
      t.deepEqual(shown(foreign), shown(await ask({})))
      if (!/\{.*\{/.test(route.path)) continue
      t.deepEqual(shown(await ask({ ...owned, ...own })), shown(await ask(own)), 'inside its own list or webhook')
    }
  })
}

test('path names and aliases of another account lead nowhere', async (t) => {
  const headers = await stranger.token()
  for (const path of ['/lists/secrets', '/lists/secrets/items', '/lists/secrets/items/hidden']) {
    const found = await call(gateway.port, { path, headers })
    const unknown = await call(gateway.port, { path: path.replace('secrets', 'nothings'), headers })
    t.is(found.status, 404)
    t.deepEqual(shown(found), shown(unknown))
  }
})

test('pages and logs of one account hold nothing of the other', async (t) => {
  const pages = routes.filter(
    ({ method, path, permission }) => method === 'GET' && permission !== 'public' && !path.includes('{'),
  )
  const foreign = Object.values(owned)
  for (const { path } of pages) {
    const { text } = await call(gateway.port, { path: `${path}?limit=100`, headers: stranger.user })
    for (const id of foreign) t.false(text.includes(id), `${path} shows ${id}`)
  }
})

test('a foreign account may take the same path names, and sees only its own', async (t) => {
  const { accountId, user } = await makeAccount(gateway.deps.db)
  const list = await addList(gateway.deps.db, accountId, { pathName: 'secrets' })
  const reply = await call(gateway.port, { path: '/lists/secrets', headers: user })
  t.is(reply.json?.id, list)
})

test.after('the owner still has everything as it was', async (t) => {
  const { db } = gateway.deps
  const item = await db.get<{ data: string }>('select data from items where id = ?', [owned.item])
  t.is(item?.data, '{"slug":"hidden","title":"The private one"}')
  t.is((await db.all('select 1 from webhooks where id = ?', [owned.webhook])).length, 1)
})
