import test, { type ExecutionContext } from 'ava'
import { indexRoutes } from '#services/gateway/resources/indexes/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { syncSchemaRoutes } from '#services/gateway/resources/schema-sync/routes.ts'
import { runBuilds } from '../../../support/databases/contents/index-jobs.ts'
import { expectedValues, indexWorkOf, valuesOf } from '../../../support/databases/contents/indexed-items.ts'
import { served } from '../../../support/http/api.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { startGateway } from '../../../support/http/gateway.ts'

const items = '/lists/recipes/items'
const document = (indexes: Record<string, unknown>) => ({ lists: { recipes: { indexes } } })

async function world(t: ExecutionContext) {
  const { port, deps } = await startGateway(t, { routes: [...syncSchemaRoutes, ...indexRoutes, ...itemRoutes] })
  const { user: headers } = await makeAccount(deps.db)
  const request = (method: string, path: string, body?: unknown) =>
    served(() => call(port, { method, path, headers, ...(body !== undefined && { body }) }))
  const sync = async (indexes: Record<string, unknown>, query = '') => {
    const reply = await request('POST', `/sync-schema${query}`, document(indexes))
    const { summary, changes, applied, blockedBy } = Object(reply.json)
    return { status: reply.status, summary, applied, blockedBy, build: changes?.[1]?.build }
  }
  await sync({})
  return { db: deps.db, request, sync }
}

test('a sync builds a new index on a list with items, and says so', async (t) => {
  const { db, request, sync } = await world(t)
  for (const slug of ['a', 'b']) await request('POST', items, { data: { slug } })
  const indexes = { slug: { pointer: '/slug', alias: true } }
  const build = { reason: 'created', items: 2, requiresConfirmation: false }
  t.like(await sync(indexes, '?dryRun=true'), { status: 200, applied: false, summary: { builds: 1 }, build })
  t.deepEqual((await sync(indexes)).build, { ...build, buildStatus: 'building' })
  t.is((await request('GET', `${items}/a`)).json?.name, 'INDEX_BUILDING')
  t.like(await sync(indexes), { status: 200, summary: { noChange: 2, builds: 0 } })
  await runBuilds(db)
  t.is((await request('GET', `${items}/a`)).status, 200)
})

test('another pointer of an index on a list with items needs allowRebuild', async (t) => {
  const { db, request, sync } = await world(t)
  await request('POST', items, { data: { a: 'x', b: 'y' } })
  await sync({ i: { pointer: '/a' } })
  await runBuilds(db)
  const blocked = await sync({ i: { pointer: '/b' } })
  t.like(blocked, { status: 422, applied: false, blockedBy: { name: 'SCHEMA_SYNC_REBUILD_NOT_ALLOWED', code: 21_003 } })
  t.like(blocked.build, { reason: 'pointerChanged', items: 1, requiresConfirmation: true })
  t.like(await request('GET', '/lists/recipes/indexes/i'), { json: { pointer: '/a', buildStatus: 'ready' } })
  t.like(await sync({ i: { pointer: '/b' } }, '?allowRebuild=true'), {
    status: 200,
    build: { buildStatus: 'building' },
  })
  await runBuilds(db)
  const { json } = await request('GET', '/lists/recipes/indexes/i')
  t.like(json, { pointer: '/b', buildStatus: 'ready' })
  t.deepEqual(await valuesOf(db, String(json?.id)), await expectedValues(db, String(json?.id)))
  t.deepEqual(await indexWorkOf(db), { builds: 0, purges: 0, values: 0 })
})

test('an index that a sync creates while the first items of the list are created misses none of them', async (t) => {
  const { db, request, sync } = await world(t)
  const creates = Array.from({ length: 20 }, (_, n) => request('POST', items, { data: { slug: `S${n}` } }))
  const synced = await sync({ slug: { pointer: '/slug', alias: true } })
  t.is(synced.status, 200)
  const statuses = (await Promise.all(creates)).map(({ status }) => status)
  t.deepEqual([...new Set(statuses)], [201])
  await runBuilds(db)
  const { json } = await request('GET', '/lists/recipes/indexes/slug')
  t.is(json?.buildStatus, 'ready')
  const values = await valuesOf(db, String(json?.id))
  t.is(values.length, 20)
  t.deepEqual(values, await expectedValues(db, String(json?.id)))
})
