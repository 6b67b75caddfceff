import test from 'ava'
import type { Deps } from '#services/gateway/context.ts'
import { routes } from '#services/gateway/resources/index.ts'
import type { StreamPace } from '#services/gateway/resources/realtime/stream-pace.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { until } from '../../../support/assertions/until.ts'
import { call } from '../../../support/http/client.ts'
import { sharedSettings, startGateway } from '../../../support/http/gateway.ts'
import { askOn, eventsOf, realtimeWorld, titlesOf } from '../../../support/http/realtime-world.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'
import { testNats } from '../../../support/nats/nats.ts'

const paced = (pace: Partial<StreamPace>) => (deps: Deps) => ({
  ...deps,
  streamPace: { ...deps.streamPace, ...pace },
})

test('a quiet stream sends heartbeats with the id to continue from', async (t) => {
  const { create, open } = await realtimeWorld(t, { adapt: paced({ heartbeatMs: 10 }) })
  await create({ title: 'Soup' })
  const stream = await open('eventTypes=item-deleted')
  let text = ''
  stream.response.on('data', (piece) => (text += piece))
  await stream.wait(1, 'ready')
  await until(() => text.split(': heartbeat\nid: 2-').length > 3)
  t.is(stream.frames().length, 1)
  await create({ title: 'Stew' })
  // Events that are not sent also advance the id of the stream.
  await until(() => stream.lastId()?.startsWith('3-') || stream.lastId())
})

test('a reader that is too far behind is ended as lagging, and reconnects', async (t) => {
  const { account, ask, create, open, gateway } = await realtimeWorld(t, { adapt: paced({ maxBehind: 3 }) })
  const stream = await open('eventTypes=item-created')
  await stream.wait(1, 'ready')
  stream.response.pause()
  const data = { text: 'x'.repeat(100_000) }
  // More than the connection buffers for a reader.
  for (let n = 0; n < 12; n++) {
    const operations = Array.from({ length: 20 }, () => ({ op: 'create', data }))
    await ask('POST', '/lists/recipes/items/batch?includeData=false', { operations })
  }
  stream.response.resume()
  const [end] = await stream.wait(1, 'end')
  t.is(end?.data.reason, 'lagging')
  await until(stream.ended)
  const seen = new Set(stream.frames().flatMap(({ data: { eventId } }) => (eventId ? [eventId] : [])))
  // The client continues at a gateway with the default limits.
  const patient = await startGateway(t, { routes, env: sharedSettings(gateway.deps.config), instance: 'patient' })
  await create({ title: 'last' })
  const again = await open(
    'eventTypes=item-created',
    { ...account.user, 'last-event-id': stream.lastId() ?? '' },
    patient,
  )
  await until(() => {
    for (const { data } of again.frames()) if (data.eventId) seen.add(data.eventId)
    return seen.size === 241 || seen.size
  })
  t.is(titlesOf(again.frames().slice(-1))[0], 'last')
})

test('the sweep of a gateway finds a change that no message has reported', async (t) => {
  const [one, other] = [await testNats(t), await testNats(t)]
  const { account, gateway, create, open } = await realtimeWorld(t, { natsUrl: one.url })
  const deaf = await startGateway(t, {
    routes,
    natsUrl: other.url,
    env: sharedSettings(gateway.deps.config),
    instance: 'deaf',
  })
  await until(() => deaf.deps.bus.connected() && gateway.deps.bus.connected())
  const stream = await open('eventTypes=*', account.user, deaf)
  await stream.wait(1, 'ready')
  await create({ title: 'Soup' })
  t.deepEqual(titlesOf(await stream.wait(1, 'item-created')), ['Soup'])
})

test('a gateway ends streams at its next check after a revocation that no message has reported', async (t) => {
  const [one, other] = [await testNats(t), await testNats(t)]
  const { gateway, ask, open, generateToken } = await realtimeWorld(t, { natsUrl: one.url })
  const env = sharedSettings(gateway.deps.config)
  const adapt = paced({ checkEveryMs: 20, heartbeatMs: 10 })
  const deaf = await startGateway(t, { routes, natsUrl: other.url, env, instance: 'deaf', adapt, keepMs: 10 })
  await until(() => deaf.deps.bus.connected() && gateway.deps.bus.connected())
  const { id, headers } = await generateToken([{ mode: 'allow', action: 'view', resourceType: 'item' }])
  const stream = await open('eventTypes=*', headers, deaf)
  await stream.wait(1, 'ready')
  await ask('DELETE', `/tokens/${id}`)
  t.is((await stream.wait(1, 'end'))[0]?.data.reason, 'revoked')
})

test("events in other lists need no check of a stream's credentials, and advance it", async (t) => {
  let checks = 0
  const adapt = (deps: Deps): Deps => ({
    ...paced({ heartbeatMs: 10 })(deps),
    auth: {
      ...deps.auth,
      authenticate(req, client, options) {
        if (options?.isUse === false) checks++
        return deps.auth.authenticate(req, client, options)
      },
    },
  })
  const { ask, create, open } = await realtimeWorld(t, { adapt })
  await ask('POST', '/lists', { name: 'Quiet', pathName: 'quiet', realtime: true })
  const stream = await open('eventTypes=*&listIds=quiet')
  await stream.wait(1, 'ready')
  await create({ title: 'elsewhere' })
  await until(() => stream.lastId()?.startsWith('3-') || stream.lastId())
  t.is(checks, 0)
  await ask('POST', '/lists/quiet/items', { data: { title: 'here' } })
  t.deepEqual(titlesOf(await stream.wait(1, 'item-created')), ['here'])
  t.is(checks, 1)
})

test('a session that expires ends its streams, without a message, and nothing follows', async (t) => {
  const adapt = paced({ checkEveryMs: 20, heartbeatMs: 10 })
  const { account, gateway, open, generateToken } = await realtimeWorld(t, { adapt, keepMs: 10 })
  const { db } = gateway.deps
  const identity = await makeIdentity(db, { accountId: account.accountId })
  const { headers } = await generateToken([{ mode: 'allow', action: '*' }])
  const token = await open('eventTypes=*', headers)
  const streams = [await open(), await open('eventTypes=*', { ...headers, ...identity.headers })]
  for (const stream of [...streams, token]) await stream.wait(1, 'ready')
  await db.run('update sessions set expires_at = ?', [Date.now() - 1])
  for (const stream of streams) {
    t.is((await stream.wait(1, 'end'))[0]?.data.reason, 'revoked')
    await until(stream.ended)
  }
  await askOn(gateway, headers)('POST', '/lists/recipes/items', { data: { title: 'Soup' } })
  t.deepEqual(titlesOf(await token.wait(1, 'item-created')), ['Soup'], 'the stream of the token continues')
  for (const stream of streams) t.deepEqual(eventsOf(stream.frames()), ['ready undefined', 'end undefined'])
})

test('an API token that expires ends its streams, without a message, and nothing follows', async (t) => {
  const adapt = paced({ checkEveryMs: 20, heartbeatMs: 10 })
  const { gateway, create, open, generateToken } = await realtimeWorld(t, { adapt, keepMs: 10 })
  const rules: PermissionRule[] = [{ mode: 'allow', action: 'view', resourceType: 'item' }]
  const [expiring, lasting] = [await generateToken(rules), await generateToken(rules)]
  const [ended, other] = [await open('eventTypes=*', expiring.headers), await open('eventTypes=*', lasting.headers)]
  for (const stream of [ended, other]) await stream.wait(1, 'ready')
  await gateway.deps.db.run('update tokens set expires_at = ? where id = ?', [Date.now() - 1, expiring.id])
  t.is((await ended.wait(1, 'end'))[0]?.data.reason, 'revoked')
  await until(ended.ended)
  await create({ title: 'Soup' })
  t.deepEqual(titlesOf(await other.wait(1, 'item-created')), ['Soup'], 'the stream of the other token continues')
  t.deepEqual(eventsOf(ended.frames()), ['ready undefined', 'end undefined'])
})

test('a gateway at its limit of streams answers 503 with retry-after', async (t) => {
  const env = { LISTD_REALTIME_CONNECTIONS: '1' }
  const { account, gateway, open } = await realtimeWorld(t, { env })
  await open()
  const rejected = await call(gateway.port, { path: '/realtime?eventTypes=*', headers: account.user })
  t.is(rejected.status, 503)
  t.is(rejected.json?.name, 'SERVICE_UNAVAILABLE')
  t.true(Number(rejected.headers['retry-after']) > 0)
})

test('a clock that steps back loses nothing and does not change the order', async (t) => {
  let step = 0
  const adapt = (deps: Deps) => ({ ...deps, now: () => Date.now() + step })
  const { account, ask, create, open } = await realtimeWorld(t, { adapt })
  const stream = await open()
  await stream.wait(1, 'ready')
  const { id } = await create({ title: 'Soup' })
  await stream.wait(1, 'item-created')
  step = -3_600_000
  await ask('PUT', `/lists/recipes/items/${id}/data`, { title: 'Stew' })
  await create({ title: 'Pie' })
  await stream.wait(3, 'item-created', 'item-updated')
  stream.close()
  const again = await open('eventTypes=*', { ...account.user, 'last-event-id': stream.frames()[1]?.id ?? '' })
  t.deepEqual(titlesOf(await again.wait(3, 'item-created', 'item-updated')), ['Soup', 'Stew', 'Pie'])
})

test('guarded values are sent to the owner of an item on request, and to no other token', async (t) => {
  const { ask, open, account, gateway } = await realtimeWorld(t)
  await ask('POST', '/lists/recipes/indexes', { pathName: 'secret', pointer: '/secret', guard: true })
  const token = await account.token()
  const identity = await makeIdentity(gateway.deps.db, { accountId: account.accountId })
  const own = { ...token, ...identity.headers }
  const query = 'eventTypes=item-created&includeGuarded=true'
  const [stranger, plain, owner] = [await open(query, token), await open('eventTypes=*', own), await open(query, own)]
  for (const stream of [stranger, plain, owner]) await stream.wait(1, 'ready')
  await askOn(gateway, own)('POST', '/lists/recipes/items', { data: { title: 'Soup', secret: 'salt' } })
  const dataOf = async (stream: typeof owner) => (await stream.wait(1, 'item-created'))[0]?.data.model.data
  t.deepEqual(await dataOf(owner), { title: 'Soup', secret: 'salt' })
  t.deepEqual(await dataOf(plain), { title: 'Soup' })
  t.deepEqual(await dataOf(stranger), { title: 'Soup' })
})
