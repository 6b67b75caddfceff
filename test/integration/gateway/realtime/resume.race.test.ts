import test from 'ava'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { until } from '../../../support/assertions/until.ts'
import { eventsOf, realtimeWorld, titlesOf, twoGateways } from '../../../support/http/realtime-world.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'

const viewer: PermissionRule[] = [{ mode: 'allow', action: 'view', resourceType: 'item' }]
/** The rules of a token that also acts for identities. */
const signedIn: PermissionRule[] = [...viewer, { mode: 'allow', action: 'authenticate', resourceType: 'identity' }]
const resets = (frames: readonly { event: string | null; data: { reason?: string } }[]) =>
  frames.flatMap(({ event, data }) => (event === 'reset' ? [data.reason] : []))

/** A client that has received an item and then disconnected; `comeBack` reconnects it. */
async function away(t: Parameters<typeof realtimeWorld>[0], query = 'eventTypes=*') {
  const world = await realtimeWorld(t)
  const token = await world.generateToken(viewer)
  const stream = await world.open(query, token.headers)
  await stream.wait(1, 'ready')
  await world.create({ title: 'Soup', price: 3 })
  await stream.wait(1, 'item-created')
  stream.close()
  await until(() => world.gateway.deps.streamCounts.count() === 0)
  const id = stream.lastId() ?? ''
  return { ...world, token, comeBack: () => world.open(query, { ...token.headers, 'last-event-id': id }) }
}

test('a client that resumes with different rules is notified to fetch again', async (t) => {
  const { ask, create, token, comeBack } = await away(t)
  await ask('PUT', `/tokens/${token.id}`, {
    name: 'reader',
    permissions: [...viewer, { mode: 'block', action: 'delete', resourceType: 'item' }],
  })
  await create({ title: 'unseen' })
  const stream = await comeBack()
  const [ready, reset] = await stream.wait(2)
  t.is(ready?.data.resumed, false)
  t.deepEqual(reset?.data, { reason: 'changed' })
  await create({ title: 'new' })
  t.deepEqual(titlesOf(await stream.wait(1, 'item-created')), ['new'])
})

test('a client that resumes with the same rules gets what happened in between, and no reset', async (t) => {
  const { ask, create, comeBack } = await away(t)
  await ask('PUT', '/lists/recipes', { description: 'of soups' })
  await create({ title: 'Stew' })
  const stream = await comeBack()
  const frames = await stream.wait(3)
  t.deepEqual(eventsOf(frames.slice(1)), ['item-created 1', 'item-created 1'])
  t.true(frames[0]?.data.resumed)
})

test('a guard that was turned on while a client was disconnected resets it, and nothing guarded is replayed', async (t) => {
  const { ask, create, comeBack } = await away(t)
  await create({ title: 'Stew', price: 4 })
  await ask('POST', '/lists/recipes/indexes', { pathName: 'price', pointer: '/price', guard: true })
  await create({ title: 'Pie', price: 5 })
  const stream = await comeBack()
  const created = await stream.wait(3, 'item-created')
  t.deepEqual(
    created.map(({ data }) => data.model.data),
    [{ title: 'Soup' }, { title: 'Stew' }, { title: 'Pie' }],
  )
  t.deepEqual(resets(stream.frames()), ['changed'])
})

test('a list that was activated again while a client was disconnected resets it', async (t) => {
  const { ask, create, comeBack } = await away(t)
  await ask('PUT', '/lists/recipes', { activated: false })
  await ask('PUT', '/lists/recipes', { activated: true })
  await create({ title: 'Stew' })
  const stream = await comeBack()
  await stream.wait(2, 'item-created')
  t.deepEqual(resets(stream.frames()), ['changed'])
})

test('changes in a list while it was not realtime are reported by a reset', async (t) => {
  const { ask, create, comeBack } = await away(t)
  await ask('PUT', '/lists/recipes', { realtime: false })
  await create({ title: 'unseen' })
  await ask('PUT', '/lists/recipes', { realtime: true })
  const stream = await comeBack()
  await stream.wait(1, 'reset')
  t.deepEqual(titlesOf(stream.frames().filter(({ event }) => event === 'item-created')), ['Soup'])
})

test('a guard resets a stream of all lists at once, even for a list of which it was sent nothing', async (t) => {
  const { ask, open, account } = await realtimeWorld(t)
  const stream = await open('eventTypes=*', await account.token(viewer))
  const users = await open()
  await Promise.all([stream.wait(1, 'ready'), users.wait(1, 'ready')])
  await ask('POST', '/lists/recipes/indexes', { pathName: 'price', pointer: '/price', guard: true })
  await stream.wait(1, 'reset')
  await ask('PUT', '/lists/recipes', { description: 'of soups' })
  await users.wait(1, 'list-updated')
  t.deepEqual(eventsOf(users.frames()).slice(1), ['list-updated undefined'], 'users see guarded values')
})

const twoLists = (guard: boolean) => {
  const indexes = { price: { pointer: '/price', guard } }
  const lists = ['breads', 'cakes'].map((name) => [name, { name, description: `${guard}`, realtime: true, indexes }])
  return { scope: 'bakery', lists: Object.fromEntries(lists) }
}

test('a sync of a schema arrives as one commit, and nothing after it has values that it guards', async (t) => {
  const { ask, account, open } = await realtimeWorld(t)
  await ask('POST', '/sync-schema', twoLists(false))
  const headers = await account.token([...viewer, { mode: 'allow', action: 'view', resourceType: 'list' }])
  const [seesSome, seesAll] = [await open('eventTypes=*', headers), await open()]
  await Promise.all([seesSome.wait(1, 'ready'), seesAll.wait(1, 'ready')])
  await ask('POST', '/lists/breads/items', { data: { title: 'Rye', price: 3 } })
  await ask('POST', '/sync-schema', twoLists(true))
  await ask('POST', '/lists/cakes/items', { data: { title: 'Pie', price: 4 } })
  const received = async (stream: typeof seesAll) => {
    await stream.wait(2, 'item-created')
    return stream.frames().slice(1)
  }
  const [ofToken, ofUser] = [await received(seesSome), await received(seesAll)]
  const [, ...bySync] = ofUser.slice(0, -1)
  t.deepEqual(bySync.map(({ event, data }) => `${event} ${data.model.pathName} ${data.model.description}`).toSorted(), [
    'list-updated breads true',
    'list-updated cakes true',
  ])
  t.is(new Set(bySync.map(({ id }) => id?.split('-')[0])).size, 1, 'all events of a sync have one number')
  t.deepEqual(
    ofToken.map(({ event }) => event).filter((event) => event !== 'reset'),
    ofUser.map(({ event }) => event),
  )
  t.true(resets(ofToken).includes('changed'))
  t.deepEqual(ofToken.at(-1)?.data.model.data, { title: 'Pie' })
  t.deepEqual(ofUser.at(-1)?.data.model.data, { title: 'Pie', price: 4 })
})

test('a client that resumes within the commit of a sync gets all of it again, as it is visible after it', async (t) => {
  const { ask, account, open } = await realtimeWorld(t)
  await ask('POST', '/sync-schema', twoLists(false))
  const headers = await account.token([...viewer, { mode: 'allow', action: 'view', resourceType: 'list' }])
  const stream = await open('eventTypes=*', headers)
  await stream.wait(1, 'ready')
  await ask('POST', '/lists/breads/items', { data: { title: 'Rye', price: 3 } })
  await ask('POST', '/sync-schema', twoLists(true))
  const [first, second] = await stream.wait(2, 'list-updated')
  const [, item] = stream.frames()
  stream.close()
  const again = await open('eventTypes=*', { ...headers, 'last-event-id': first?.id ?? '' })
  t.deepEqual(
    (await again.wait(2, 'list-updated')).map(({ id }) => id),
    [first?.id, second?.id],
  )
  t.true(resets(again.frames()).includes('changed'))
  const earlier = await open('eventTypes=*', { ...headers, 'last-event-id': item?.id ?? '' })
  t.deepEqual(
    (await earlier.wait(1, 'item-created'))[0]?.data.model.data,
    { title: 'Rye' },
    'guarded values are removed by the current settings',
  )
})

test('a disconnected client gets what happened in between from another gateway, and no reset', async (t) => {
  const { account, create, open, generateToken, gateway, second } = await twoGateways(t)
  const { headers } = await generateToken(signedIn)
  const { accountId } = account
  const identity = await makeIdentity(gateway.deps.db, { accountId })
  const own = { ...headers, ...identity.headers }
  const stream = await open('eventTypes=item-created', own, second)
  await stream.wait(1, 'ready')
  await create({ title: '1' })
  await stream.wait(1, 'item-created')
  // The connection is cut, so no end is sent.
  stream.response.destroy()
  await create({ title: '2' })
  const again = await open('eventTypes=item-created', { ...own, 'last-event-id': stream.lastId() ?? '' })
  t.deepEqual(titlesOf(await again.wait(2, 'item-created')), ['1', '2'])
  t.deepEqual(resets(again.frames()), [])
})

test('an identity whose tags change is notified to fetch again, and one whose session ends is sent nothing more', async (t) => {
  const { account, ask, create, open, generateToken, gateway, second } = await twoGateways(t)
  const { headers } = await generateToken(signedIn)
  const identity = await makeIdentity(gateway.deps.db, { accountId: account.accountId })
  const own = { ...headers, ...identity.headers }
  const streams = [await open('eventTypes=*', own), await open('eventTypes=*', own, second)]
  for (const stream of streams) await stream.wait(1, 'ready')
  await ask('PUT', `/identities/${identity.identityId}`, { tags: ['vip'] })
  for (const stream of streams) t.deepEqual(resets(await stream.wait(1, 'reset')), ['changed'])
  await ask('DELETE', `/identities/${identity.identityId}`)
  await create({ title: 'secret' })
  for (const stream of streams) {
    t.is((await stream.wait(1, 'end'))[0]?.data.reason, 'revoked')
    t.deepEqual(
      eventsOf(stream.frames()).filter((event) => event.startsWith('item')),
      [],
    )
  }
})
