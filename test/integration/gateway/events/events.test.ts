import test, { type ExecutionContext } from 'ava'
import { eventRoutes } from '#services/gateway/resources/events/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { syncSchemaRoutes } from '#services/gateway/resources/schema-sync/routes.ts'
import { logEvent } from '../../../support/databases/contents/events.ts'
import { modifyList } from '../../../support/databases/contents/lists.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { call, type Reply } from '../../../support/http/client.ts'
import { startGateway } from '../../../support/http/gateway.ts'
import { textWithoutEtag, withoutEtag } from '../../../support/http/items.ts'

const items = '/lists/recipes/items'
const routes = [...eventRoutes, ...itemRoutes, ...syncSchemaRoutes]

type Entry = Record<string, unknown> & { id: string; type: string; snapshot?: { data?: unknown; size?: number } }
const entries = ({ json }: Reply) => (json?.data ?? []) as Entry[]
const types = (reply: Reply) => entries(reply).map(({ type }) => type)

/** A list with an alias and a guarded value, created by schema sync. */
async function world(t: ExecutionContext) {
  const { port, deps } = await startGateway(t, { routes })
  const account = await makeAccount(deps.db)
  const json = { 'content-type': 'application/json' }
  const as =
    (headers: Record<string, string>) =>
    (path: string, method = 'GET', body?: unknown) =>
      call(port, { method, path, headers: { ...headers, ...(typeof body === 'string' && json) }, body })
  const user = as(account.user)
  const indexes = { slug: { pointer: '/slug', alias: true }, Pin: { pointer: '/card/pin', guard: true } }
  const synced = await user('/sync-schema', 'POST', { lists: { recipes: { name: 'Recipes', indexes } } })
  t.is(synced.status, 200)
  const [list] = (synced.json?.changes ?? []) as { listId: string }[]
  return { deps, account, as, user, listId: list?.listId ?? '' }
}

test('the events of an item show its changes, newest first, and by whom; snapshots on request', async (t) => {
  const { user, as, account } = await world(t)
  const added = await as(await account.token())(
    items,
    'POST',
    '{"data":{"10":1.0,"2":12345678901234567890,"slug":"soup"}}',
  )
  const id = String(added.json?.id)
  await user(`${items}/soup`, 'PUT', { tags: ['a'] })
  const page = await user(`${items}/soup/events`)
  t.like(page.json, { page: 1, limit: 20, total: 2 })
  t.deepEqual(types(page), ['item-updated', 'item-created'])
  const [updated, created] = entries(page)
  t.like(updated, { stream: 'item', modelId: id, version: '1.0.1', actor: { authMode: 'user', tokenId: null } })
  t.like(created, { version: '1.0.0', createdAt: added.json?.createdAt, updatedAt: added.json?.createdAt })
  t.like(created?.actor, { authMode: 'token', identityId: null })
  t.false(page.text.includes('"snapshot"'))
  const whole = await user(`${items}/${id}/events?includeSnapshot=true`)
  t.true(whole.text.includes('"data":{"10":1.0,"2":12345678901234567890,"slug":"soup"}'))
  const one = await user(`${items}/${id}/events/${created?.id}`)
  t.true(one.text.includes(`"snapshot":${textWithoutEtag(added.text)}`))
  t.is(one.json?.id, created?.id)
})

test('users see by name which user caused a change; tokens and payloads do not', async (t) => {
  const { user, as, account, deps, listId } = await world(t)
  const id = String((await user(items, 'POST', { data: {} })).json?.id)
  await user('/lists/recipes', 'PUT', { description: 'Changed' })
  const plain = { authMode: 'user', tokenId: null, identityId: null }
  const row = await deps.db.get('select id, email from users where account_id = ?', [account.accountId])
  const paths = [`${items}/${id}/events`, `/lists/${listId}/events`]
  for (const path of paths) {
    const [seen] = entries(await user(path))
    t.deepEqual(seen?.actor, { ...plain, userId: row?.id, userName: row?.email }, path)
    t.deepEqual((await user(`${path}/${seen?.id}`)).json?.actor, seen?.actor, path)
    const token = as(await account.token())
    const [other] = entries(await token(path))
    t.deepEqual(other?.actor, plain, path)
    t.deepEqual((await token(`${path}/${other?.id}`)).json?.actor, plain, path)
  }
  await deps.db.run('update users set display_name = ? where account_id = ?', ['Ada', account.accountId])
  t.like(entries(await user(paths[0] ?? ''))[0]?.actor, { userName: 'Ada' })
})

test('a deleted item is found by its id, with its whole history', async (t) => {
  const { user, as, account } = await world(t)
  const added = await user(items, 'POST', { data: { slug: 'gone' } })
  const id = String(added.json?.id)
  const deleted = await user(`${items}/${id}`, 'DELETE')
  for (const ask of [user, as(await account.token())]) {
    const page = await ask(`${items}/${id}/events`)
    t.is(page.json?.total, 2)
    t.deepEqual(types(page), ['item-deleted', 'item-created'])
    t.is((await ask(`${items}/gone/events`)).status, 404)
  }
  const [last] = entries(await user(`${items}/${id}/events?type=deleted&includeSnapshot=1`))
  t.deepEqual(last?.snapshot as unknown, withoutEtag(deleted.json))
})

test('the events of a list and an index show their changes', async (t) => {
  const { user, listId } = await world(t)
  await user('/sync-schema', 'POST', { lists: { recipes: { description: 'ours' } } })
  const list = await user('/lists/RECIPES/events')
  t.deepEqual(types(list), ['list-updated', 'list-created'])
  t.true(entries(list).every(({ modelId, version }) => modelId === listId && version === null))
  const [updated] = entries(list)
  t.like((await user(`/lists/recipes/events/${updated?.id}`)).json, { snapshot: { description: 'ours', id: listId } })
  const index = await user('/lists/recipes/indexes/PIN/events?includeSnapshot=true')
  t.deepEqual(types(index), ['index-created'])
  t.like(entries(index)[0]?.snapshot, { pointer: '/card/pin', guard: true })
  t.is((await user('/lists/recipes/indexes/other/events')).status, 404)
})

test('the log of the account has all streams, filtered by stream, type and time', async (t) => {
  const { user, deps, account } = await world(t)
  await user(items, 'POST', {})
  const reason = '20 deliveries in a row failed for good'
  await logEvent(deps.db, { accountId: account.accountId, type: 'webhook-disabled', attachments: { reason } })
  const all = await user('/events')
  t.is(all.json?.total, 5)
  t.deepEqual(types(all).toSorted(), [
    'index-created',
    'index-created',
    'item-created',
    'list-created',
    'webhook-disabled',
  ])
  const disabled = await user('/events?stream=webhook&type=webhook-disabled')
  t.like(entries(disabled)[0], { actor: null, attachments: { reason }, stream: 'webhook' })
  t.is(disabled.json?.total, 1)
  t.is((await user('/events?type=in:item-created,list-created')).json?.total, 2)
  t.is((await user(`/events?startAt=${new Date(Date.now() + 60_000).toISOString()}`)).json?.total, 0)
  t.is((await user(`/events?endAt=${encodeURIComponent(String(new Date(Date.now() + 60_000)))}`)).json?.total, 5)
  t.true((await user('/events?includeSnapshot=true&stream=item')).text.includes('"snapshot"'))
})

test('pages continue after a cursor and reject what contract 1.3 rejects', async (t) => {
  const { user } = await world(t)
  for (let n = 0; n < 5; n++) await user(items, 'POST', {})
  const all = types(await user('/events?direction=asc'))
  const first = await user('/events?after=&limit=3&direction=asc')
  t.deepEqual(Object.keys(first.json ?? {}), ['limit', 'next', 'data'])
  const rest = await user(`/events?after=${first.json?.next}&direction=asc&includeSnapshot=true`)
  t.deepEqual([...types(first), ...types(rest)], all)
  t.is(rest.json?.next, null)
  const rejected: [string, string][] = [
    ['/events?limit=0', 'limit'],
    ['/events?limit=101', 'limit'],
    ['/events?page=0', 'page'],
    ['/events?order=type', 'order'],
    ['/events?direction=up', 'direction'],
    ['/events?startAt=yesterday', 'startAt'],
    ['/events?includeSnapshot=maybe', 'includeSnapshot'],
    ['/events?after=nonsense', 'after'],
    [`/events?after=${first.json?.next}`, 'after'],
    [`/events?after=${first.json?.next}&direction=asc&stream=item`, 'after'],
    [`${items}/x/events?endAt=1`, 'endAt'],
  ]
  for (const [path, error] of rejected) {
    const reply = await user(path)
    t.like(reply, { status: 400, json: { name: 'VALIDATION_FAILED' } }, path)
    t.deepEqual(errorPaths(reply), [error])
  }
})

test('guarded values are removed from the snapshots that a token sees, with the size of the rest', async (t) => {
  const { user, as, account } = await world(t)
  const data = { title: 'x', card: { pin: 'canary', no: 1 } }
  const id = String((await user(items, 'POST', { data })).json?.id)
  await user(`${items}/${id}`, 'PUT', { description: 'y' })
  await user(`${items}/${id}`, 'DELETE')
  const token = as(await account.token())
  const shown = { title: 'x', card: { no: 1 } }
  const page = await token(`${items}/${id}/events?includeSnapshot=true&includeGuarded=true`)
  t.is(entries(page).length, 3)
  const single = await token(`${items}/${id}/events/${entries(page)[0]?.id}?includeGuarded=true`)
  for (const { snapshot } of [...entries(page), single.json as Entry]) {
    t.deepEqual(snapshot?.data, shown)
    t.is(snapshot?.size, JSON.stringify(shown).length)
  }
  t.false(page.text.includes('canary') || single.text.includes('canary'))
  t.true((await user(`${items}/${id}/events?includeSnapshot=true`)).text.includes('canary'))
})

test('the next request respects a guard that another process has just set', async (t) => {
  const { deps, as, user, account, listId } = await world(t)
  const id = String((await user(items, 'POST', { data: { title: 'canary' } })).json?.id)
  const token = as(await account.token())
  t.true((await token(`${items}/${id}/events?includeSnapshot=true`)).text.includes('canary'))
  await deps.db.run("update indexes set pointer = '/title' where list_id = ? and guard = 1", [listId])
  await modifyList(deps.db, listId, { description: 'guarded' })
  t.false((await token(`${items}/${id}/events?includeSnapshot=true`)).text.includes('canary'))
})
