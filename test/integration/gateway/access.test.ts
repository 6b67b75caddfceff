import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { newId } from '#shared/crypto/ids.ts'
import { makeAccount, type TestAccount } from '../../support/http/callers.ts'
import { call, type Reply } from '../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../support/http/gateway.ts'
import { afterAll } from '../../support/test-context/shared.ts'

/** Who may call what: a route without a line here fails. */
const access: Record<string, 'public' | 'principal' | 'user'> = {
  'GET /health/live': 'public',
  'GET /health/ready': 'public',
  'POST /auth/login': 'public',
  'POST /auth/logout': 'public',
  'GET /auth/self': 'user',
  'GET /setup': 'public',
  'POST /auth/setup': 'public',
  'POST /identities/register': 'principal',
  'POST /identities/login': 'principal',
  'POST /identities/logout': 'principal',
  'GET /identities/self': 'principal',
  'POST /sync-schema': 'principal',
  'GET /schema/sync-v1.json': 'public',
  'POST /lists': 'principal',
  'GET /lists': 'principal',
  'GET /lists/{list}': 'principal',
  'PUT /lists/{list}': 'principal',
  'DELETE /lists/{list}': 'principal',
  'GET /lists/{list}/items': 'principal',
  'POST /lists/{list}/items': 'principal',
  'GET /lists/{list}/items/{item}': 'principal',
  'PUT /lists/{list}/items/{item}': 'principal',
  'DELETE /lists/{list}/items/{item}': 'principal',
  'GET /events': 'user',
  'GET /lists/{list}/events': 'principal',
  'GET /lists/{list}/events/{event}': 'principal',
  'GET /lists/{list}/items/{item}/events': 'principal',
  'GET /lists/{list}/items/{item}/events/{event}': 'principal',
  'GET /lists/{list}/indexes/{index}/events': 'principal',
  'GET /lists/{list}/indexes/{index}/events/{event}': 'principal',
  'POST /webhooks': 'user',
  'GET /webhooks': 'user',
  'GET /webhooks/{webhook}': 'user',
  'PUT /webhooks/{webhook}': 'user',
  'DELETE /webhooks/{webhook}': 'user',
  'POST /webhooks/{webhook}/secret': 'user',
  'POST /webhooks/{webhook}/ping': 'user',
  'GET /webhooks/{webhook}/deliveries': 'user',
  'GET /webhooks/{webhook}/deliveries/{delivery}': 'user',
  'POST /webhooks/{webhook}/deliveries/{delivery}/redeliver': 'user',
  'POST /webhooks/{webhook}/deliveries/redeliver': 'user',
}

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
  account = await makeAccount(gateway.deps.db)
})

function callersOf({ permission }: (typeof routes)[number]) {
  return permission === 'public' || permission === 'user' ? permission : 'principal'
}

const name = ({ method, path }: (typeof routes)[number]) => `${method} ${path}`

test('every route is in the table of who may call it, and the other way round', (t) => {
  t.deepEqual(Object.fromEntries(routes.map((route) => [name(route), callersOf(route)])), access)
})

for (const route of routes.filter(({ permission }) => permission !== 'public')) {
  const path = route.path.replace(/\{\w+\}/g, newId)
  const ask = (headers: Record<string, string>): Promise<Reply> =>
    call(gateway.port, { method: route.method, path, headers })

  test(`${name(route)} without credentials is 401, whatever else is wrong`, async (t) => {
    t.like(await ask({}), { status: 401, json: { name: 'USER_NOT_AUTHENTICATED', code: 11_002 } })
  })

  if (route.permission === 'user') {
    test(`${name(route)} with an API token that allows everything is 403`, async (t) => {
      const reply = await ask(await account.token())
      t.like(reply, { status: 403, json: { name: 'USER_MODE_REQUIRED', code: 11_001 } })
    })
  }
}
