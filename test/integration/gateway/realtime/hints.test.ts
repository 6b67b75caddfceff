import test from 'ava'
import { createIndexBuilds } from '#services/gateway/jobs/index-builds.ts'
import { routes } from '#services/gateway/resources/index.ts'
import { until } from '../../../support/assertions/until.ts'
import { makeWebhook } from '../../../support/databases/contents/rows.ts'
import { documentText } from '../../../support/flows/documents.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { type EventStream, openEvents } from '../../../support/http/event-stream.ts'
import { sharedSettings, startGateway } from '../../../support/http/gateway.ts'
import { startNats } from '../../../support/nats/nats.ts'
import type { Teardown } from '../../../support/test-context/teardown.ts'

async function world(t: Teardown, natsUrl?: string) {
  const gateway = await startGateway(t, { routes, ...(natsUrl && { natsUrl, instance: 'one' }) })
  const account = await makeAccount(gateway.deps.db)
  const ask = async (method: string, path: string, body?: unknown, headers = account.user) =>
    // biome-ignore lint/suspicious/noExplicitAny: a test says by its assertions what it expects
    (await call(gateway.port, { method, path, headers, body })) as { status: number; json: any }
  const { json: list } = await ask('POST', '/lists', { name: 'Recipes', pathName: 'recipes' })
  const open = async (query: string, headers = account.user, port = gateway.port) => {
    const stream = await openEvents(t, port, { query, headers })
    await stream.wait(1, 'ready')
    return stream
  }
  return { gateway, account, ask, open, listId: list.id as string }
}

const changed = (stream: EventStream) => stream.frames().filter(({ event }) => event === 'changed')

test('a user gets hints of changed lists, indexes and items, even in lists without realtime', async (t) => {
  const { ask, open, listId } = await world(t)
  const all = await open('topics=*')
  const lists = await open('topics=lists')
  const { json: item } = await ask('POST', '/lists/recipes/items', { data: { title: 'Soup' } })
  await all.wait(1, 'changed')
  const index = { name: 'Title', pathName: 'title', pointer: '/title' }
  const { json: created } = await ask('POST', '/lists/recipes/indexes', index)
  await ask('PUT', '/lists/recipes', { description: 'of soups' })
  await lists.wait(1, 'changed')
  const reported = () => changed(all).flatMap(({ data }) => data.ids.map((id: string) => `${data.topic} ${id}`))
  await until(() => reported().includes(`lists ${listId}`))
  t.deepEqual([...new Set(reported())].sort(), [`indexes ${created.id}`, `items ${item.id}`, `lists ${listId}`])
  t.true(changed(all).every(({ data, id }) => data.listId === listId && id === null))
  t.deepEqual(changed(lists)[0]?.data, { topic: 'lists', listId, ids: [listId] })
})

test('a burst causes few hints: combined, with a limited number of ids, and a note that there are more', async (t) => {
  const { ask, open, listId } = await world(t)
  const stream = await open('topics=items')
  await ask('POST', '/lists/recipes/items', { data: 0 })
  await stream.wait(1, 'changed')
  const operations = Array.from({ length: 60 }, (_, n) => ({ op: 'create', data: n }))
  await ask('POST', '/lists/recipes/items/batch', { operations })
  const [, many] = await stream.wait(2, 'changed')
  t.like(many?.data, { topic: 'items', listId, more: true })
  t.is(many?.data.ids.length, 50)
})

test('a user gets hints of tokens, webhooks, groups and flows', async (t) => {
  const { gateway, account, ask, open } = await world(t)
  const webhookId = await makeWebhook(gateway.deps.db, { accountId: account.accountId })
  const stream = await open('topics=tokens,webhooks,identities,flows')
  const { json: token } = await ask('POST', '/tokens', { name: 'app', permissions: [{ mode: 'allow', action: '*' }] })
  await ask('PUT', `/webhooks/${webhookId}`, { description: 'of soups' })
  const { json: group } = await ask('POST', '/identity-groups', { name: 'cooks' })
  const document = JSON.parse(documentText({ name: 'soup', entry: { type: 'endpoint', path: 'soup' } }))
  const { json: flow } = await ask('POST', '/flow-definitions', { document })
  const reported = () => changed(stream).flatMap(({ data }) => data.ids.map((id: string) => `${data.topic} ${id}`))
  const expected = [`flows ${flow.id}`, `identities ${group.id}`, `tokens ${token.id}`, `webhooks ${webhookId}`]
  await until(() => reported().length >= expected.length)
  t.deepEqual(reported().sort(), expected)
  t.true(changed(stream).every(({ data }) => !('listId' in data)))
})

test('a user gets hints of the progress of a build, before it has ended', async (t) => {
  const { gateway, ask, open, listId } = await world(t)
  const operations = Array.from({ length: 60 }, (_, n) => ({ op: 'create', data: { slug: `s${n}`, text: 'soup' } }))
  await ask('POST', '/lists/recipes/items/batch', { operations })
  const { json: index } = await ask('POST', '/lists/recipes/indexes', { pathName: 'slug', pointer: '/slug' })
  await ask('POST', '/lists/recipes/indexes', { pathName: 'text', pointer: '/text', searching: true })
  const stream = await open('topics=indexes')
  // The builds do not announce their end, so that only hints of their progress are sent.
  await createIndexBuilds({ ...gateway.deps, announce() {}, hint: gateway.deps.hintHub.note })(() => true)
  await until(() => changed(stream).some(({ data }) => data.ids.includes(index.id)))
  await until(() => changed(stream).some(({ data }) => data.more))
  t.true(changed(stream).every(({ data }) => data.topic === 'indexes' && data.listId === listId))
})

test('a user gets hints of recorded runs of flows', async (t) => {
  const { ask, open } = await world(t)
  const flow = (name: string) => ({
    activated: true,
    document: JSON.parse(documentText({ name, entry: { type: 'endpoint', path: name } })),
  })
  const kept = await ask('POST', '/flow-definitions', { ...flow('kept'), logged: 'all' })
  const failures = await ask('POST', '/flow-definitions', { ...flow('quiet'), logged: 'failures' })
  t.deepEqual([kept.status, failures.status], [201, 201], JSON.stringify(kept.json))
  const stream = await open('topics=flow-runs')
  await ask('POST', '/flows/quiet', {})
  await ask('POST', '/flows/kept', {})
  const [hint] = await stream.wait(1, 'changed')
  t.like(hint?.data, { topic: 'flow-runs', flowId: kept.json.id, ids: { length: 1 } })
  t.is((await ask('GET', `/flow-runs/${hint?.data.ids[0]}`)).json.flowId, kept.json.id)
})

test('hints arrive together with changes of realtime lists, and only for the own account', async (t) => {
  const { ask, open, gateway } = await world(t)
  const foreign = await makeAccount(gateway.deps.db)
  const other = await open('topics=*', foreign.user)
  const both = await open('eventTypes=item-created&topics=items')
  await ask('PUT', '/lists/recipes', { realtime: true })
  await ask('POST', '/lists/recipes/items', { data: 1 })
  await both.wait(1, 'item-created')
  await both.wait(1, 'changed')
  await ask('POST', '/lists', { name: 'Own', pathName: 'own' }, foreign.user)
  await other.wait(1, 'changed')
  t.deepEqual(new Set(changed(other).map(({ data }) => data.topic)), new Set(['lists']))
})

test('hints are only for users, and for existing topics', async (t) => {
  const { account, ask, open } = await world(t)
  const token = await account.token([{ mode: 'allow', action: '*' }])
  t.like(await ask('GET', '/realtime?topics=items', undefined, token), {
    status: 403,
    json: { name: 'USER_MODE_REQUIRED' },
  })
  const { status, json } = await ask('GET', '/realtime?topics=items,cats')
  t.is(status, 400)
  t.like(json.details.errors[0], {
    path: 'topics',
    message:
      '"topics" must be *, or some of lists, indexes, items, webhooks, deliveries, flows, flow-runs, tokens, identities',
  })
  t.like((await ask('GET', '/realtime')).json.details.errors[0], { path: 'eventTypes' })
  const stream = await open('topics=items')
  await ask('DELETE', '/auth/self/sessions')
  await ask('POST', '/auth/logout')
  await stream.wait(1, 'end')
  t.deepEqual(stream.frames().at(-1)?.data.reason, 'revoked')
})

test('the commits of one gateway are reported by the others', async (t) => {
  const nats = await startNats()
  t.teardown(nats.dispose)
  const { gateway, account, ask, open } = await world(t, nats.url)
  const second = await startGateway(t, {
    routes,
    natsUrl: nats.url,
    env: sharedSettings(gateway.deps.config),
    instance: 'two',
  })
  await until(() => gateway.deps.bus.connected() && second.deps.bus.connected())
  const stream = await open('topics=items', account.user, second.port)
  await until(() => gateway.deps.streamCounts.elsewhere(account.accountId) === 1)
  const { json: item } = await ask('POST', '/lists/recipes/items', { data: 1 })
  const [hint] = await stream.wait(1, 'changed')
  t.deepEqual(hint?.data.ids, [item.id])
})
