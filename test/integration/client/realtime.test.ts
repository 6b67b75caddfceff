import test from 'ava'
import { createClient } from '#client/src/client.ts'
import { contains, eq, gt, gte, inList, lt, lte, not, starts } from '#client/src/filters.ts'
import { RawNumber } from '#client/src/json.ts'
import { judge } from '#client/src/live/judge.ts'
import { type Change, type Live, live, type StreamState, subscribe } from '#client/src/realtime.ts'
import { routes } from '#services/gateway/resources/index.ts'
import { until } from '../../support/assertions/until.ts'
import { makeAccount } from '../../support/http/callers.ts'
import { sharedSettings, startGateway } from '../../support/http/gateway.ts'
import type { Teardown } from '../../support/test-context/teardown.ts'

const string = { filtering: true } as const
const indexes = {
  slug: { pointer: '/slug', alias: true, filtering: true },
  title: { pointer: '/title', ...string },
  serves: { pointer: '/serves', valueType: 'number' as const, filtering: true, sorting: true },
}
const document = {
  scope: 'kitchen',
  lists: { recipes: { name: 'Recipes', realtime: true, indexes }, notes: { name: 'Notes', realtime: true } },
}

/** A client of a new account with realtime lists. It counts its requests, and `move` sends them to another gateway. */
async function world(t: Teardown) {
  const gateway = await startGateway(t, { routes })
  const { token, user } = await makeAccount(gateway.deps.db)
  const { 'x-api-token': value } = await token([{ mode: 'allow', action: '*' }])
  const sent: string[] = []
  let port = gateway.port
  const send = (input: string | URL | Request, init?: RequestInit) => {
    const url = new URL(String(input))
    url.port = String(port)
    sent.push(`${init?.method} ${url.pathname}`)
    return fetch(url, init)
  }
  const options = { url: `http://127.0.0.1:${port}`, fetch: send as typeof fetch }
  const client = createClient({ ...options, token: value })
  await client.sync.apply(document)
  const count = (call: string) => sent.filter((one) => one === call).length
  const ending = new AbortController()
  t.teardown(() => ending.abort())
  return {
    gateway,
    client,
    options,
    session: user.authorization?.slice('Bearer '.length),
    token,
    recipes: client.list('recipes'),
    count,
    signal: ending.signal,
    /** Starts another gateway on the same database, and closes the first one. */
    async move() {
      const second = await startGateway(t, { routes, env: sharedSettings(gateway.deps.config), instance: 'second' })
      port = second.port
      await gateway.server.close()
    },
  }
}

const titles = ({ items }: Pick<Live<{ title: string }>, 'items'>) => items.map(({ data }) => data.title)

test('a live list equals its page at every moment, in order and within its limit', async (t) => {
  const { recipes, signal, count } = await world(t)
  const [soup] = await Promise.all([recipes.create({ data: { title: 'Soup', serves: 4 } })])
  const shown: string[][] = []
  const options = { where: { serves: gte(2) }, order: 'serves', limit: 3, signal } as const
  const cooking = await live(recipes, { ...options, onChange: (now) => shown.push(titles(now)) })
  t.deepEqual(titles(cooking), ['Soup'])
  const stew = await recipes.create({ data: { title: 'Stew', serves: 6 } })
  await recipes.create({ data: { title: 'Tea', serves: 1 } })
  await recipes.create({ data: { title: 'Pie', serves: 5 } })
  await until(() => titles(cooking).join() === 'Soup,Pie,Stew')
  t.is(count('GET /lists/recipes/items'), 1, 'no change is requested from the service')
  await recipes.merge(stew, { serves: 2 })
  await until(() => titles(cooking).join() === 'Stew,Soup,Pie')
  await recipes.create({ data: { title: 'Rice', serves: 3 } })
  await until(() => titles(cooking).join() === 'Stew,Rice,Soup')
  t.true(cooking.hasMore)
  await recipes.delete(soup)
  await until(() => titles(cooking).join() === 'Stew,Rice,Pie')
  t.false(cooking.hasMore)
  t.deepEqual(shown.at(-1), ['Stew', 'Rice', 'Pie'])
})

test('the client requests what it cannot judge', async (t) => {
  const { recipes, signal } = await world(t)
  const soups = await live(recipes, { where: { title: starts('süp') }, fields: ['/title'], signal })
  await recipes.create({ data: { title: 'SÜPPCHEN', serves: 4 } })
  await recipes.create({ data: { title: 'Stew' } })
  await until(() => titles(soups).join() === 'SÜPPCHEN')
  t.deepEqual(soups.items[0]?.data, { title: 'SÜPPCHEN' })
})

test('an item of a live list is written like one that was read', async (t) => {
  const { recipes, signal } = await world(t)
  const { items } = await live(recipes, { signal })
  t.deepEqual(items, [])
  const all = await live(recipes, { signal })
  await recipes.create({ data: { title: 'Soup', n: new RawNumber('9007199254740993') } })
  await until(() => all.items.length === 1)
  const [soup] = all.items
  t.is(String(soup?.data.n), '9007199254740993')
  if (soup) await recipes.merge(soup, { title: 'Stew' })
  await until(() => titles(all).join() === 'Stew')
  if (soup) await t.throwsAsync(recipes.merge({ ...soup }, { title: 'Pie' }), { name: 'ITEM_PRECONDITION_FAILED' })
})

test('nothing is missed when a gateway stops: later changes arrive in order, each once', async (t) => {
  const { client, recipes, signal, move, count } = await world(t)
  const changes: string[] = []
  const states: StreamState[] = []
  const onChange = (change: Change) => changes.push(`${change.type} ${'revision' in change ? change.revision : ''}`)
  const subscription = subscribe(client, { lists: ['recipes'], onChange, onState: (state) => states.push(state) })
  t.teardown(subscription.close)
  const all = await live(recipes, { signal })
  const soup = await recipes.create({ data: { title: 'Soup' } })
  await until(() => all.items.length === 1 && changes.length === 1)
  await move()
  for (const title of ['2', '3']) await recipes.update(soup, { data: { title } })
  await until(() => titles(all).join() === '3' && all.state === 'connected')
  await recipes.delete(soup)
  await until(() => all.items.length === 0)
  t.deepEqual(changes, ['item-created 1', 'item-updated 2', 'item-updated 3', 'item-deleted 4'])
  t.deepEqual(
    [states[0], states.at(-1), states.includes('behind'), states.includes('reset')],
    ['connected', 'connected', true, false],
  )
  t.is(count('GET /lists/recipes/items'), 1)
})

test('all live lists of a client share one stream, and a rejected one ends alone, with its error name', async (t) => {
  const { client, recipes, signal, count } = await world(t)
  const notes = client.list('notes')
  const all = await Promise.all([
    live(recipes, { signal }),
    live(recipes, { signal, limit: 1 }),
    live(notes, { signal }),
  ])
  t.is(count('GET /realtime'), 1)
  await client.lists.create({ name: 'Quiet', pathName: 'quiet' })
  await t.throwsAsync(live(client.list('quiet'), { signal }), { name: 'LIST_NOT_REALTIME' })
  await client.lists.delete('notes')
  await client.lists.create({ name: 'More', pathName: 'more', realtime: true })
  const more = await live(client.list('more'), { signal })
  t.like(all[2], { state: 'ended', error: { name: 'REQUESTED_ENTITY_NOT_FOUND' } })
  await client.list('more').create({ data: { title: 'Tea' } })
  await recipes.create({ data: { title: 'Soup' } })
  await until(() => titles(more).join() === 'Tea' && titles(all[0]).join() === 'Soup' && all[1].items.length === 1)
})

test('a reset is reported, and what the client may now see is fetched', async (t) => {
  const { session, options, token, signal, recipes } = await world(t)
  const cook = await token([{ mode: 'allow', action: 'view' }])
  const reader = createClient({ ...options, token: cook['x-api-token'] as string })
  const states: StreamState[] = []
  await recipes.create({ data: { title: 'Soup', serves: 4 } })
  const seen = await live(reader.list('recipes'), { signal, onChange: ({ state }) => states.push(state) })
  t.deepEqual(seen.items[0]?.data, { title: 'Soup', serves: 4 })
  const user = createClient({ ...options, session })
  await user.list('recipes').indexes.update('serves', { guard: true, filtering: false, sorting: false })
  await recipes.create({ data: { title: 'Stew' } })
  await until(() => titles(seen).join() === 'Stew,Soup' && !('serves' in Object(seen.items[1]?.data)))
  t.true(states.includes('reset'))
  t.is(seen.state, 'connected')
})

test('if the client is sure of a condition, the service agrees', async (t) => {
  const { recipes } = await world(t)
  const values = ['Soup', 'soup', 'Stew', 'SÜPP', 'a,b', '4', '', 'x'.repeat(1100), 'null', 'eq:soup', 'true']
  const data = [
    ...values.map((title) => ({ title })),
    ...[4, 4.0, -1, 1e21, '4', null, [1, 4], true].map((serves) => ({ serves })),
    ...['title', 'serves'].map((name) => ({ [name]: { n: 4 } })),
    {},
    { serves: new RawNumber('4.00000000000000000001') },
  ]
  for (const one of data) await recipes.create({ data: one })
  const all = await recipes.items().toArray(100)
  const table = new Map((await recipes.indexes.all().toArray(100)).map((index) => [index.pathName, index]))
  const texts = [
    ...['Soup', 'soup', 'süpp', '4', 'null', 'x'.repeat(1100), 'eq:soup'].flatMap((text) => [
      text,
      eq(text),
      not(text),
      starts(text),
    ]),
    inList(['soup', 'stew']),
    contains('ou'),
  ]
  const numbers = [4, eq(4), gt(4), gte(4), lt(4), lte(4), not(4), inList([4, 1e21]), not(gt(0))]
  const wheres = [
    ...[...texts, null, not(null)].map((title) => ({ title })),
    ...[...numbers, null, not(null)].map((serves) => ({ serves })),
    { readonly: false },
    { readonly: true },
    { activated: true },
    { id: all[0]?.id },
    { id: not(all[0]?.id ?? '') },
    { title: 'soup', serves: null },
  ]
  let sure = 0
  for (const where of wheres) {
    const found = new Set((await recipes.items({ where } as never).toArray(100)).map(({ id }) => id))
    for (const item of all) {
      const verdict = judge(where, item, table)
      if (verdict === undefined) continue
      sure++
      t.is(verdict, found.has(item.id), JSON.stringify([where, item.data]))
    }
  }
  t.true(sure > 300, `${sure}`)
})
