import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { until } from '../../../support/assertions/until.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { openEvents } from '../../../support/http/event-stream.ts'
import { sharedSettings, startGateway } from '../../../support/http/gateway.ts'
import { askOn, eventsOf, realtimeWorld, titlesOf, twoGateways } from '../../../support/http/realtime-world.ts'
import { startNats } from '../../../support/nats/nats.ts'

test('a stream reports every change of a realtime list, each with the item as a read returns it', async (t) => {
  const { ask, create, open, listId } = await realtimeWorld(t)
  const stream = await open('eventTypes=*&listIds=recipes')
  const [ready] = await stream.wait(1, 'ready')
  t.deepEqual(ready?.data, { lists: [listId], resumed: false })
  t.like(stream.response.headers, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  const item = await create({ title: 'Soup' })
  await ask('PUT', `/lists/recipes/items/${item.id}/data`, { title: 'Stew' })
  const read = await ask('GET', `/lists/recipes/items/${item.id}`)
  await ask('DELETE', `/lists/recipes/items/${item.id}`)
  await ask('PUT', '/lists/recipes', { description: 'of soups' })
  const frames = await stream.wait(5)
  t.deepEqual(eventsOf(frames.slice(1)), [
    'item-created 1',
    'item-updated 2',
    'item-deleted 3',
    'list-updated undefined',
  ])
  t.deepEqual(frames[2]?.data.model, read)
  const actor = { authMode: 'user', tokenId: null, identityId: null }
  t.like(frames[2]?.data, { listId, itemId: item.id })
  t.deepEqual(frames[2]?.data.actor, actor)
  t.like(frames[3]?.data.model, { id: item.id, data: { title: 'Stew' }, etag: '"2"' })
  t.like(frames[4]?.data.model, { id: listId, description: 'of soups' })
})

test('a stream receives nothing that it did not request', async (t) => {
  const { ask, create, open } = await realtimeWorld(t)
  await ask('POST', '/lists', { name: 'Quiet', pathName: 'quiet' })
  const [one, other] = [await create({ title: 'one' }), await create({ title: 'other' })]
  const items = await open(`eventTypes=item-updated&listIds=recipes&itemIds=${one.id}&includeData=false`)
  const lists = await open('eventTypes=list-updated')
  await Promise.all([items.wait(1, 'ready'), lists.wait(1, 'ready')])
  for (const { id } of [other, one]) await ask('PUT', `/lists/recipes/items/${id}`, { tags: ['hot'] })
  await ask('POST', '/lists/quiet/items', { data: 1 })
  await ask('PUT', '/lists/recipes', { realtime: false })
  await create({ title: 'unseen' })
  await ask('PUT', '/lists/recipes', { realtime: true })
  await lists.wait(2, 'list-updated')
  t.deepEqual(eventsOf(lists.frames()).slice(1), ['list-updated undefined', 'list-updated undefined'])
  // While the list was not realtime, its changes were not reported.
  await items.wait(1, 'reset')
  const reported = items.frames().slice(1)
  t.deepEqual(eventsOf(reported), ['item-updated 2', 'reset undefined'])
  t.is(reported[0]?.data.itemId, one.id)
  t.is(reported[0]?.data.model.data, undefined)
})

test('a client that reconnects at any gateway with the last id gets everything that happened in between', async (t) => {
  const { account, create, open, second } = await twoGateways(t)
  const stream = await open()
  await stream.wait(1, 'ready')
  await create({ title: '1' })
  await stream.wait(1, 'item-created')
  const last = stream.lastId() ?? ''
  stream.close()
  for (const title of ['2', '3', '4']) await create({ title })
  const again = await open('eventTypes=*', { ...account.user, 'last-event-id': last }, second)
  const frames = await again.wait(4, 'item-created')
  t.deepEqual(titlesOf(frames), ['1', '2', '3', '4'])
  t.true(again.frames()[0]?.data.resumed)
  await create({ title: '5' })
  t.deepEqual(titlesOf(await again.wait(5, 'item-created')), ['1', '2', '3', '4', '5'])
})

test('a commit is sent completely again to a client that has seen part of it', async (t) => {
  const { ask, open } = await realtimeWorld(t)
  const stream = await open()
  await stream.wait(1, 'ready')
  const operations = ['a', 'b', 'c'].map((title) => ({ op: 'create', data: { title } }))
  await ask('POST', '/lists/recipes/items/batch', { operations })
  const [first] = await stream.wait(3, 'item-created')
  const again = await open(`eventTypes=*&after=${first?.id}`)
  t.deepEqual(titlesOf(await again.wait(3, 'item-created')), ['a', 'b', 'c'])
})

test('an unknown id, one of another account and an invalid one are too old, with the same message', async (t) => {
  const { account, gateway, create, open } = await realtimeWorld(t)
  const stream = await open()
  await stream.wait(1, 'ready')
  await create({ title: 'Soup' })
  await stream.wait(1, 'item-created')
  const foreign = await makeAccount(gateway.deps.db)
  t.not(foreign.accountId, account.accountId)
  const unknown = [
    { headers: foreign.user, id: stream.lastId() ?? '' },
    { headers: account.user, id: '1-0197a0a0-0000-7000-8000-000000000000' },
    { headers: account.user, id: 'nonsense' },
  ]
  const resets: unknown[] = []
  for (const { headers, id } of unknown) {
    const other = await openEvents(t, gateway.port, {
      query: 'eventTypes=*',
      headers: { ...headers, 'last-event-id': id },
    })
    const [ready, reset] = await other.wait(2)
    t.is(ready?.data.resumed, false)
    resets.push(reset?.data)
  }
  t.deepEqual(resets, Array(3).fill({ reason: 'too-old' }))
})

test('while NATS is down streams are late and lose nothing', async (t) => {
  const { account, create, open, second, nats } = await twoGateways(t)
  const stream = await open('eventTypes=*', account.user, second)
  await stream.wait(1, 'ready')
  await create({ title: 'heard' })
  await stream.wait(1, 'item-created')
  await nats.stop()
  await until(() => !second.deps.bus.connected())
  for (const title of ['1', '2']) await create({ title })
  t.deepEqual(titlesOf(await stream.wait(3, 'item-created')), ['heard', '1', '2'])
})

test('revisions of an item never decrease on a stream, however many write at two gateways', async (t) => {
  const { account, ask, create, open, second } = await twoGateways(t)
  const stream = await open('eventTypes=item-updated', account.user, second)
  await stream.wait(1, 'ready')
  const { id } = await create({ title: 'Soup' })
  const elsewhere = askOn(second, account.user)
  const write = (n: number) => (n % 2 ? ask : elsewhere)('PUT', `/lists/recipes/items/${id}`, { tags: [`t${n}`] })
  await Promise.all(Array.from({ length: 20 }, (_, n) => write(n)))
  const frames = await stream.wait(20, 'item-updated')
  t.deepEqual(
    frames.map(({ data }) => data.revision),
    Array.from({ length: 20 }, (_, n) => n + 2),
  )
})

test('nothing follows the revocation of a token, at this gateway or another', async (t) => {
  const { account, ask, create, gateway, second } = await twoGateways(t)
  const headers = await account.token()
  const [{ id }] = (await ask('GET', '/tokens')).data
  const streams = await Promise.all(
    [gateway, second].map(({ port }) => openEvents(t, port, { query: 'eventTypes=*', headers })),
  )
  for (const stream of streams) await stream.wait(1, 'ready')
  await ask('DELETE', `/tokens/${id}`)
  await create({ title: 'secret' })
  for (const stream of streams) {
    const [end] = await stream.wait(1, 'end')
    t.is(end?.data.reason, 'revoked')
    t.true(end?.data.retryMs >= 0 && end?.data.retryMs < 5_000)
    t.deepEqual(eventsOf(stream.frames()), ['ready undefined', 'end undefined'])
    await until(stream.ended)
  }
})

const viewer: PermissionRule[] = [{ mode: 'allow', action: 'view', resourceType: 'item' }]

test('guarded values are removed, the actor is left out, and turning on a guard resets', async (t) => {
  const { account, gateway, ask, create } = await realtimeWorld(t)
  await ask('POST', '/lists/recipes/indexes', { pathName: 'secret', pointer: '/secret', guard: true })
  const headers = await account.token(viewer)
  const stream = await openEvents(t, gateway.port, { query: 'eventTypes=*&listIds=recipes', headers })
  await stream.wait(1, 'ready')
  await create({ title: 'Soup', secret: 'salt', price: 3 })
  const [created] = await stream.wait(1, 'item-created')
  t.deepEqual(created?.data.model.data, { title: 'Soup', price: 3 })
  t.is(created?.data.actor, undefined)
  await ask('POST', '/lists/recipes/indexes', { pathName: 'price', pointer: '/price', guard: true })
  await create({ title: 'Stew', secret: 'salt', price: 4 })
  const [, reset, stew] = (await stream.wait(4)).slice(1)
  t.is(reset?.data.reason, 'changed')
  t.deepEqual(stew?.data.model.data, { title: 'Stew' })
})

test('an item that leaves the view of a token is reported as deleted, one that enters it as updated', async (t) => {
  const { account, gateway, ask, create } = await realtimeWorld(t)
  const headers = await account.token(viewer)
  const stream = await openEvents(t, gateway.port, { query: 'eventTypes=*&listIds=recipes', headers })
  await stream.wait(1, 'ready')
  const { id } = await create({ title: 'Soup' })
  await ask('PUT', `/lists/recipes/items/${id}`, { activated: false })
  await ask('PUT', `/lists/recipes/items/${id}`, { tags: ['hidden'] })
  await ask('PUT', `/lists/recipes/items/${id}`, { activated: true })
  const frames = await stream.wait(4)
  t.deepEqual(eventsOf(frames.slice(1)), ['item-created 1', 'item-deleted 2', 'item-updated 4'])
  t.deepEqual(frames[2]?.data.model, { id })
})

test('rules with conditions are evaluated for each frame, on the states before and after', async (t) => {
  const { gateway, ask, create } = await realtimeWorld(t)
  await ask('POST', '/lists/recipes/indexes', { pathName: 'status', pointer: '/status', filtering: true })
  const rule = {
    mode: 'allow',
    action: 'view',
    resourceType: 'item',
    listIds: ['recipes'],
    where: { status: 'public' },
  }
  const added = await ask('POST', '/tokens', { name: 'reader', permissions: [rule] })
  const headers = { 'x-api-token': added.value }
  const stream = await openEvents(t, gateway.port, { query: 'eventTypes=*&listIds=recipes', headers })
  await stream.wait(1, 'ready')
  await create({ status: 'private' })
  const { id } = await create({ status: 'public' })
  await ask('PUT', `/lists/recipes/items/${id}/data`, { status: 'private' })
  await ask('PUT', `/lists/recipes/items/${id}/data`, { status: 'still private' })
  await ask('PUT', `/lists/recipes/items/${id}/data`, { status: 'public' })
  const frames = await stream.wait(4)
  t.deepEqual(eventsOf(frames.slice(1)), ['item-created 1', 'item-deleted 2', 'item-updated 4'])
})

test('data over 256 KB is left out', async (t) => {
  const { create, open } = await realtimeWorld(t)
  const stream = await open()
  await stream.wait(1, 'ready')
  await create({ title: 'x'.repeat(300_000) })
  const [created] = await stream.wait(1, 'item-created')
  t.like(created?.data.model, { data: null, dataOmitted: true })
})

test('a list that is not realtime, or that the caller does not see, is rejected like its pages', async (t) => {
  const { account, gateway, ask } = await realtimeWorld(t)
  await ask('POST', '/lists', { name: 'Quiet', pathName: 'quiet' })
  const get = async (query: string, headers: Record<string, string>) => {
    const { status, json } = await call(gateway.port, { path: `/realtime?${query}`, headers })
    return `${status} ${json?.name}`
  }
  t.is(await get('eventTypes=*&listIds=quiet', account.user), '409 LIST_NOT_REALTIME')
  t.is(await get('eventTypes=*&listIds=nowhere', account.user), '404 REQUESTED_ENTITY_NOT_FOUND')
  t.is(await get('eventTypes=*', {}), '401 USER_NOT_AUTHENTICATED')
  t.is(await get('eventTypes=item-moved', account.user), '400 VALIDATION_FAILED')
  t.is(await get('eventTypes=*&itemIds=a', account.user), '400 VALIDATION_FAILED')
  t.is(await get('listIds=recipes', account.user), '400 VALIDATION_FAILED')
  const blind = await account.token([{ mode: 'allow', action: 'view', resourceType: 'identity' }])
  t.is(await get('eventTypes=*', blind), '403 TOKEN_NOT_AUTHORIZED')
})

test('streams are limited by gateway and by address, and a place is free again when one ends', async (t) => {
  const env = { LISTD_REALTIME_CONNECTIONS: '2', LISTD_REALTIME_PER_ADDRESS: '1' }
  const { account, gateway, open } = await realtimeWorld(t, { env })
  const stream = await open()
  const rejected = await call(gateway.port, { path: '/realtime?eventTypes=*', headers: account.user })
  t.is(rejected.json?.name, 'RATE_LIMIT_EXCEEDED')
  stream.close()
  await until(() => gateway.deps.streamCounts.count() === 0)
  const again = await open()
  await again.wait(1, 'ready')
  t.is(gateway.deps.streamCounts.count(), 1)
})

test('a plan limits the streams of an account over all gateways', async (t) => {
  const nats = await startNats()
  t.teardown(nats.dispose)
  const plans = { scale: { name: 'Scale' }, two: { name: 'Two', maxRealtimeConnections: 2 } }
  const own = { LISTD_PLANS: JSON.stringify(plans) }
  const first = await startGateway(t, { routes, natsUrl: nats.url, instance: 'one', env: own })
  const env = { ...sharedSettings(first.deps.config), ...own }
  const second = await startGateway(t, { routes, natsUrl: nats.url, env, instance: 'two' })
  await until(() => first.deps.bus.connected() && second.deps.bus.connected())
  const { user: headers } = await makeAccount(first.deps.db, { plan: 'two' })
  for (const { port } of [first, second]) await openEvents(t, port, { query: 'eventTypes=*', headers })
  // The first gateway rejects a stream as soon as it knows of the other's stream.
  await until(async () => {
    const { status } = await call(first.port, { path: '/realtime?eventTypes=*', method: 'HEAD', headers })
    return status === 429 || String(status)
  })
  const rejected = await call(first.port, { path: '/realtime?eventTypes=*', headers })
  t.like(rejected.json, { name: 'REALTIME_CONNECTION_LIMIT_EXCEEDED', code: 10_015, details: { max: 2 } })
  t.is(rejected.headers['retry-after'], '5')
})

test('a gateway that stops ends its streams and says when to reconnect', async (t) => {
  const { gateway, open } = await realtimeWorld(t)
  const stream = await open()
  await stream.wait(1, 'ready')
  await gateway.server.close()
  const [end] = await stream.wait(1, 'end')
  t.is(end?.data.reason, 'restart')
  await until(stream.ended)
})

test('a reader that stops gets everything when it continues', async (t) => {
  const { ask, create, open } = await realtimeWorld(t)
  const stream = await open('eventTypes=item-created')
  await stream.wait(1, 'ready')
  stream.response.pause()
  const data = { text: 'x'.repeat(10_000) }
  for (let n = 0; n < 10; n++) {
    const operations = Array.from({ length: 100 }, () => ({ op: 'create', data }))
    await ask('POST', '/lists/recipes/items/batch', { operations })
  }
  await create({ title: 'last' })
  stream.response.resume()
  const frames = await stream.wait(1_001, 'item-created')
  t.is(new Set(frames.map(({ data: { eventId } }) => eventId)).size, 1_001)
  t.is(titlesOf(frames).at(-1), 'last')
})

test('a page of another origin cannot open a stream with the cookie of a user', async (t) => {
  const { account, gateway } = await realtimeWorld(t)
  const cookie = `service_session=${account.user.authorization?.replace('Bearer ', '')}`
  const headers = { cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const rejected = await call(gateway.port, { path: '/realtime?eventTypes=*', headers })
  t.is(rejected.json?.name, 'CROSS_SITE_REQUEST')
  const own = await openEvents(t, gateway.port, {
    query: 'eventTypes=*',
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
  })
  await own.wait(1, 'ready')
  t.pass()
})

test('more than 10,000 events are not replayed: the client is notified to fetch again, and gets new events', async (t) => {
  const { account, ask, create, open } = await realtimeWorld(t)
  const stream = await open('eventTypes=item-created&includeData=false')
  await stream.wait(1, 'ready')
  await create({ title: 'first' })
  await stream.wait(1, 'item-created')
  const last = stream.lastId() ?? ''
  stream.close()
  const operations = Array.from({ length: 1_000 }, () => ({ op: 'create', data: 1 }))
  for (let n = 0; n < 10; n++) await ask('POST', '/lists/recipes/items/batch?includeData=false', { operations })
  const again = await open('eventTypes=item-created', { ...account.user, 'last-event-id': last })
  const [ready, reset] = await again.wait(2)
  t.is(ready?.data.resumed, false)
  t.deepEqual(reset?.data, { reason: 'too-many' })
  await create({ title: 'new' })
  t.deepEqual(titlesOf(await again.wait(1, 'item-created')), ['new'])
})
