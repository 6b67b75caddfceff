import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { newId } from '#shared/crypto/ids.ts'
import { createToken } from '#shared/data/tokens/tokens.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { makeWebhook } from '../../../support/databases/contents/rows.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call, visiblePart } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'
import { afterAll } from '../../../support/test-context/shared.ts'
import { fanOut } from '../../../support/webhooks/cycles.ts'

const cleanup = afterAll()
let gateway: TestGateway
let stranger: TestAccount
/** Ids of what the owner has. */
let owned: string[]

test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
  const owner = await makeAccount(gateway.deps.db)
  stranger = await makeAccount(gateway.deps.db)
  owned = await fillAccount(gateway, owner, 'secrets')
})

/** One of everything that has an id. @returns the ids */
async function fillAccount(
  { deps: { db }, port }: TestGateway,
  account: TestAccount,
  pathName: string,
): Promise<string[]> {
  const { accountId, user } = account
  const indexes = [{ pathName: 'slug', pointer: '/slug', alias: true }]
  const list = await addList(db, accountId, { pathName, indexes })
  const webhook = await makeWebhook(db, { accountId })
  const body = { data: { slug: 'hidden', title: 'The private one' } }
  const item = await call(port, { method: 'POST', path: `/lists/${list}/items`, headers: user, body })
  await fanOut(db)
  const first = async (sql: string, id: string) => String((await db.get<{ id: string }>(sql, [id]))?.id)
  const { identityId } = await makeIdentity(db, { accountId, name: 'ann', group: pathName })
  const token = newId()
  await createToken(db, { id: token, accountId, name: pathName, permissions: [], now: Date.now() })
  return [
    list,
    token,
    webhook,
    identityId,
    String(item.json?.id),
    await first('select id from indexes where list_id = ?', list),
    await first('select id from events where list_id = ? limit 1', list),
    await first('select id from deliveries where webhook_id = ?', webhook),
    await first('select group_id as id from identities where id = ?', identityId),
    await first('select id from sessions where subject_id = ?', identityId),
  ]
}

test('path names and aliases of another account find nothing', async (t) => {
  const paths = ['/lists/secrets', '/lists/secrets/items', '/lists/secrets/items/hidden', '/identities/secrets%2Fann']
  for (const headers of [stranger.user, await stranger.token()]) {
    for (const request of paths.flatMap(callsTo)) {
      const found = await call(gateway.port, { ...request, headers })
      const unknown = await call(gateway.port, {
        ...request,
        path: request.path.replace('secrets', 'nothings'),
        headers,
      })
      t.is(found.status, 404)
      t.deepEqual(visiblePart(found), visiblePart(unknown))
    }
  }
})

function callsTo(path: string): Call[] {
  const body = { [path.startsWith('/identities') ? 'displayName' : 'description']: 'mine now' }
  return path.endsWith('/items') ? [{ path }] : [{ path }, { method: 'PUT', path, body }, { method: 'DELETE', path }]
}

test('pages and logs of one account contain nothing of the other', async (t) => {
  const pages = routes.filter(
    ({ method, path, permission }) => method === 'GET' && permission !== 'public' && !path.includes('{'),
  )
  for (const { path } of pages) {
    const { text } = await call(gateway.port, { path: `${path}?limit=100`, headers: stranger.user })
    for (const id of owned) t.false(text.includes(id), `${path} shows ${id}`)
  }
})

test('another account may use the same path names, and sees only its own', async (t) => {
  const { accountId, user } = await makeAccount(gateway.deps.db)
  const list = await addList(gateway.deps.db, accountId, { pathName: 'secrets' })
  const reply = await call(gateway.port, { path: '/lists/secrets', headers: user })
  t.is(reply.json?.id, list)
})
