import test, { type ExecutionContext } from 'ava'
import type { Deps } from '#services/gateway/context.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { makeWebhook } from '../../../support/databases/contents/rows.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { startGateway } from '../../../support/http/gateway.ts'
import { textWithoutEtag } from '../../../support/http/items.ts'

const items = '/lists/recipes/items'

async function world(t: ExecutionContext) {
  const { port, deps } = await startGateway(t, { routes: itemRoutes })
  const account = await makeAccount(deps.db)
  const listId = await addList(deps.db, account.accountId)
  const headers = { ...account.user, 'content-type': 'application/json', 'x-request-id': 'my-request' }
  const send = (method: string, path: string, body?: string) => call(port, { method, path, headers, body })
  return { port, deps, account, listId, send }
}

test('every change writes its event, its payload and its outbox row, with the text of the data', async (t) => {
  const { deps, account, listId, send } = await world(t)
  await makeWebhook(deps.db, account)
  const first = '{"10":1.0,"2":12345678901234567890}'
  const added = await send('POST', items, `{"data":${first}}`)
  const id = added.json?.id
  await send('PUT', `${items}/${id}`, '{"data":[1e400],"tags":["b"]}')
  const removed = await send('DELETE', `${items}/${id}`)

  const events = await deps.db.all('select * from events order by id')
  t.deepEqual(
    events.map(({ type }) => type),
    ['item-created', 'item-updated', 'item-deleted'],
  )
  t.deepEqual(
    events.map(({ version }) => version),
    ['1.0.0', '1.0.1', '1.0.1'],
  )
  t.deepEqual(events.map(({ snapshot }) => snapshot)[0], textWithoutEtag(added.text))
  t.deepEqual(events.map(({ snapshot }) => snapshot)[2], textWithoutEtag(removed.text))
  t.true(events.every((event) => event.model_id === id && event.list_id === listId && event.stream === 'item'))

  const payloads = await deps.db.all<{ body: string }>('select body from event_payloads order by event_id')
  const [created, updated, deleted] = payloads.map(({ body }) => body) as [string, string, string]
  t.true(created.includes(`"data":${first}`))
  t.true(updated.includes('"data":[1e400]') && updated.includes(`"data":${first}`))
  t.deepEqual(
    payloads.map(({ body }) => JSON.parse(body).type),
    ['item.created', 'item.updated', 'item.deleted'],
  )
  t.deepEqual(
    payloads.map(({ body }) => JSON.parse(body).id),
    events.map((event) => event.id),
  )
  t.deepEqual(JSON.parse(updated).data.previous, JSON.parse(created).data.item)
  t.deepEqual(JSON.parse(deleted).data.item, JSON.parse(updated).data.item)
  t.deepEqual(JSON.parse(created).data.list, { id: listId, name: 'The recipes', pathName: 'recipes' })
  t.deepEqual(JSON.parse(created).data.actor, { authMode: 'user', tokenId: null, identityId: null })

  const outbox = await deps.db.all('select * from outbox order by event_id')
  t.deepEqual(
    outbox.map(({ event_id }) => event_id),
    events.map((event) => event.id),
  )
  t.true(outbox.every(({ request_id }) => request_id === 'my-request'))
})

test('a change by a token names the token as its actor', async (t) => {
  const { port, deps, account } = await world(t)
  await makeWebhook(deps.db, account)
  await call(port, { method: 'POST', path: items, headers: await account.token(), body: {} })
  const token = await deps.db.get<{ id: string }>('select id from tokens')
  const actor = { authMode: 'token', tokenId: token?.id, identityId: null }
  const event = await deps.db.get<{ actor: string }>('select actor from events')
  t.deepEqual(JSON.parse(event?.actor ?? ''), actor)
  const payload = await deps.db.get<{ body: string }>('select body from event_payloads')
  t.deepEqual(JSON.parse(payload?.body ?? '').data.actor, actor)
})

test('a rejected change writes no event', async (t) => {
  const { deps, send } = await world(t)
  const added = await send('POST', items, '{"readonly":true}')
  t.is((await send('DELETE', `${items}/${added.json?.id}`)).status, 409)
  t.is((await send('PUT', `${items}/${added.json?.id}`, '{"version":"0.0.1","readonly":false}')).status, 400)
  t.is((await deps.db.get<{ n: number }>('select count(*) as n from events'))?.n, 1)
})

test('an update counts as later than the previous one, even when the clock is set back', async (t) => {
  let behind = 0
  const adapt = (given: Deps) => ({ ...given, now: () => Date.now() - behind })
  const { port, deps } = await startGateway(t, { routes: itemRoutes, adapt })
  const { accountId, user } = await makeAccount(deps.db)
  await addList(deps.db, accountId)
  const added = await call(port, { method: 'POST', path: items, headers: user, body: {} })
  behind = 60_000
  const body = { description: 'x' }
  const updated = await call(port, { method: 'PUT', path: `${items}/${added.json?.id}`, headers: user, body })
  t.is(Date.parse(String(updated.json?.updatedAt)), Date.parse(String(added.json?.updatedAt)) + 1)
})
