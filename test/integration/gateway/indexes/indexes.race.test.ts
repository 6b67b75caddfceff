import test, { type ExecutionContext } from 'ava'
import { indexRoutes } from '#services/gateway/resources/indexes/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { listRoutes } from '#services/gateway/resources/lists/routes.ts'
import { atLeast } from '../../../support/assertions/bounds.ts'
import { runBuilds } from '../../../support/databases/contents/index-jobs.ts'
import { expectedValues, indexWorkOf, storeItems, valuesOf } from '../../../support/databases/contents/indexed-items.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { anotherConnection } from '../../../support/databases/database.ts'
import { served } from '../../../support/http/api.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { startGateway } from '../../../support/http/gateway.ts'

const items = '/lists/recipes/items'
const indexes = '/lists/recipes/indexes'

/** A gateway that builds nothing, a list of items that each have a slug, and two more connections for builds. */
async function world(t: ExecutionContext, count: number) {
  const { port, deps } = await startGateway(t, { routes: [...itemRoutes, ...indexRoutes, ...listRoutes] })
  const account = await makeAccount(deps.db)
  const listId = await addList(deps.db, account.accountId)
  const data = Array.from({ length: count }, (_, n) => ({ slug: `Soup-${n}`, other: `Other-${count - n}` }))
  const ids = await storeItems(deps.db, { accountId: account.accountId, listId }, data)
  const builders = [
    await anotherConnection(t, deps.config.dataDir),
    await anotherConnection(t, deps.config.dataDir),
  ] as const
  const request = (method: string, path: string, body?: unknown) =>
    served(() => call(port, { method, path, headers: account.user, ...(body !== undefined && { body }) }))
  return { db: deps.db, ids, builders, request }
}

type World = Awaited<ReturnType<typeof world>>

const alias = { pathName: 'slug', pointer: '/slug', alias: true }

/** Sends writes of every kind until stopped, only to items of this writer. @returns their statuses */
async function write(
  { request, ids }: World,
  { writer, writers }: { writer: number; writers: number },
  goOn: () => boolean,
) {
  const own = ids.filter((_, n) => n % writers === writer)
  const statuses: number[] = []
  const send = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await request(method, path, body)
    statuses.push(status)
    return json?.id as string
  }
  for (let n = 0; goOn(); n++) {
    const item = `${items}/${own[(n * 7) % own.length]}`
    const data = { slug: `New-${writer}-${n}`, other: n % 2 === 0 ? [n] : `Else-${writer}-${n}` }
    if (n % 6 === 0) own.push(await send('POST', items, { data, activated: n % 12 === 0 }))
    else if (n % 6 === 1) await send('PUT', item, { data })
    else if (n % 6 === 2) await send('PUT', item, { description: `${n}` })
    else if (n % 6 === 3) await send('PUT', item, { activated: n % 4 === 1, readonly: false })
    else if (n % 6 === 4) await send('PUT', item, { data: { other: `Bare-${writer}-${n}` } })
    else await send('DELETE', `${items}/${own.splice((n * 5) % own.length, 1)[0]}`)
  }
  return statuses
}

/** Runs work while four writers write. */
async function withWriters(t: ExecutionContext, all: World, work: () => Promise<unknown>): Promise<void> {
  let working = true
  const writing = [0, 1, 2, 3].map((writer) => write(all, { writer, writers: 4 }, () => working))
  await work().finally(() => {
    working = false
  })
  const statuses = (await Promise.all(writing)).flat()
  t.deepEqual([...new Set(statuses)].sort(), [200, 201])
}

async function indexNow({ request }: World, pathName = 'slug') {
  const { json } = await request('GET', `${indexes}/${pathName}`)
  return { ...json, id: String(json?.id), buildStatus: json?.buildStatus }
}

test('two builders together with writers of every kind: the index has exactly the values of all items', async (t) => {
  const all = await world(t, 400)
  const created = await all.request('POST', indexes, alias)
  t.like(created, { status: 201, json: { buildStatus: 'building' } })
  await withWriters(t, all, () => Promise.all(all.builders.map((db) => runBuilds(db))))
  const index = await indexNow(all)
  t.is(index.buildStatus, 'ready')
  const values = await valuesOf(all.db, index.id)
  t.deepEqual(values, await expectedValues(all.db, index.id))
  atLeast(t, values.length, 100, 'values')
  t.deepEqual(await indexWorkOf(all.db), { builds: 0, purges: 0, values: 0 })
  const ended = await all.db.all("select id from events where type = 'index-built'")
  t.is(ended.length, 1)
})

test('an index whose pointer changes during its build ends with the values of the last pointer, and no others', async (t) => {
  const all = await world(t, 300)
  await all.request('POST', indexes, alias)
  const statuses: number[] = []
  await withWriters(t, all, async () => {
    const building = all.builders.map((db) => runBuilds(db))
    for (const pointer of ['/other', '/slug', '/other']) {
      statuses.push((await all.request('PUT', `${indexes}/slug`, { pointer, name: pointer })).status)
      statuses.push((await all.request('PUT', `${indexes}/slug`, { description: pointer })).status)
    }
    await Promise.all(building)
    await runBuilds(all.db)
  })
  t.deepEqual([...new Set(statuses)], [200])
  const index = await indexNow(all)
  t.like(index, { buildStatus: 'ready', pointer: '/other' })
  t.deepEqual(await valuesOf(all.db, index.id), await expectedValues(all.db, index.id))
  t.deepEqual(await indexWorkOf(all.db), { builds: 0, purges: 0, values: 0 })
})

test('together with writers that use the aliases of stored items, an index is ready only with unique aliases', async (t) => {
  const all = await world(t, 300)
  await all.request('POST', indexes, alias)
  const [one, other] = all.builders
  const building = Promise.all([runBuilds(one), runBuilds(other)])
  const taken: { slug: string; id: string }[] = []
  for (let n = 299; n > 0; n -= 20) {
    const slug = `Soup-${n}`
    const created = await all.request('POST', items, { data: { slug } })
    t.true([201, 409].includes(created.status), created.text)
    if (created.status === 201) taken.push({ slug, id: String(created.json?.id) })
  }
  await building
  const index = await indexNow(all)
  t.is(index.buildStatus, taken.length > 0 ? 'failed' : 'ready')
  if (taken.length > 0) {
    const event = await all.db.get<{ attachments: string }>(
      "select attachments from events where type = 'index-build-failed'",
    )
    const { reason, duplicates } = JSON.parse(event?.attachments ?? '{}')
    t.is(reason, 'duplicate-alias')
    for (const { value, itemIds } of duplicates) {
      t.is(itemIds.length, 2)
      t.true(taken.some(({ slug, id }) => slug === value && itemIds.includes(id)))
    }
    for (const { id } of taken) t.is((await all.request('DELETE', `${items}/${id}`)).status, 200)
    t.is((await all.request('POST', `${indexes}/slug/rebuild`)).json?.buildStatus, 'building')
    await Promise.all([runBuilds(one), runBuilds(other)])
  }
  t.is((await indexNow(all)).buildStatus, 'ready')
  t.deepEqual(await valuesOf(all.db, index.id), await expectedValues(all.db, index.id))
})

test('deleting an index or list during the build ends the build, and leaves nothing', async (t) => {
  const all = await world(t, 300)
  for (const path of [`${indexes}/slug`, '/lists/recipes']) {
    await all.request('POST', indexes, alias)
    await all.request('POST', indexes, { pathName: 'other', pointer: '/other' })
    let batches = 0
    const building = all.builders.map((db) => runBuilds(db, () => ++batches > 0))
    const deleted = await all.request('DELETE', path)
    t.is(deleted.status, 204)
    await Promise.all(building)
    await runBuilds(all.db)
    const { builds, purges } = await indexWorkOf(all.db)
    t.deepEqual({ builds, purges }, { builds: 0, purges: 0 })
  }
  const ready = await all.db.all("select model_id from events where type = 'index-built'")
  atLeast(t, 2, ready.length, 'builds that were done before the deletion')
})

test('concurrent creates, changes and deletes of indexes are all applied, one after the other', async (t) => {
  const all = await world(t, 20)
  const names = Array.from({ length: 8 }, (_, n) => `i${n}`)
  const created = await Promise.all(
    names.flatMap((pathName) => [
      all.request('POST', indexes, { pathName, pointer: `/${pathName}` }),
      all.request('POST', indexes, { pathName, pointer: '/same' }),
    ]),
  )
  t.deepEqual(created.map(({ status }) => status).sort(), [...Array(8).fill(201), ...Array(8).fill(409)])
  const changed = await Promise.all(names.map((name) => all.request('PUT', `${indexes}/${name}`, { alias: true })))
  t.deepEqual(changed.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)])
  const gone = await Promise.all(names.map((name) => all.request('DELETE', `${indexes}/${name}`)))
  t.deepEqual([...new Set(gone.map(({ status }) => status))], [204])
  await runBuilds(all.db)
  t.deepEqual(await indexWorkOf(all.db), { builds: 0, purges: 0, values: 0 })
})
