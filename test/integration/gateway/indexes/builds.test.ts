import test from 'ava'
import { eventRoutes } from '#services/gateway/resources/events/routes.ts'
import { indexRoutes } from '#services/gateway/resources/indexes/routes.ts'
import { itemBatchRoutes } from '#services/gateway/resources/items/batch/routes.ts'
import { itemDataRoutes } from '#services/gateway/resources/items/data/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { listRoutes } from '#services/gateway/resources/lists/routes.ts'
import { runBuilds } from '../../../support/databases/contents/index-jobs.ts'
import { expectedValues, valuesOf } from '../../../support/databases/contents/indexed-items.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { listOfItems } from '../../../support/http/list-of-items.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount

test.before(async () => {
  const itemsRoutes = [...itemRoutes, ...itemBatchRoutes, ...itemDataRoutes]
  const routes = [...indexRoutes, ...itemsRoutes, ...listRoutes, ...eventRoutes]
  gateway = await startGateway(cleanup, { routes })
  account = await makeAccount(gateway.deps.db)
})

const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
const post = (path: string, body?: unknown) => ask({ method: 'POST', path, body })
const put = (path: string, body: unknown) => ask({ method: 'PUT', path, body })

const listOf = (...data: unknown[]) => listOfItems({ gateway, account }, data)

test.serial('an alias index on stored items is INDEX_BUILDING until it is built', async (t) => {
  const { indexes, items, ids } = await listOf({ slug: 'soup' }, { slug: 'cake' }, { slug: 7 })
  const created = await post(indexes, { pathName: 'slug', pointer: '/slug', alias: true })
  t.like(created, { status: 201, json: { buildStatus: 'building' } })
  const building = await ask({ path: `${items}/soup` })
  t.like(building, {
    status: 409,
    json: { name: 'INDEX_BUILDING', code: 16_006, details: { index: 'slug', done: 0, total: 3 } },
  })
  t.regex(building.headers['retry-after'] ?? '', /^\d+$/)
  const viewer = await account.token([{ mode: 'allow', action: 'view' }])
  const toViewer = Object((await ask({ path: `${items}/soup`, headers: viewer })).json)
  t.deepEqual(toViewer.details, { index: 'slug' }, 'the number of all items would reveal drafts, which it does not see')
  const toAll = Object((await ask({ path: `${items}/soup`, headers: await account.token() })).json)
  t.deepEqual(toAll.details, { index: 'slug', done: 0, total: 3 })
  const progress = async (headers = account.user) => {
    const [one, page] = await Promise.all([`${indexes}/slug`, indexes].map((path) => ask({ path, headers })))
    return [Object(one?.json).progress, Object(page?.json).data[0].progress]
  }
  t.deepEqual(await progress(), [
    { done: 0, total: 3 },
    { done: 0, total: 3 },
  ])
  t.deepEqual(await progress(viewer), [undefined, undefined])
  t.like(await ask({ path: `${items}?alias=soup` }), { status: 409, json: { name: 'INDEX_BUILDING' } })
  t.like(await put(`${items}/soup`, { description: 'x' }), { status: 409, json: { name: 'INDEX_BUILDING' } })
  t.is((await ask({ path: `${items}/${ids[0]}` })).status, 200)
  t.like(await post(`${indexes}/slug/rebuild`), { status: 409, json: { name: 'INDEX_BUILD_NOT_FAILED', code: 16_008 } })
  await runBuilds(gateway.deps.db)
  t.like(await ask({ path: `${items}/soup` }), { status: 200, json: { id: ids[0] } })
  t.like(await ask({ path: `${items}/7` }), { status: 200, json: { id: ids[2] } })
  t.like(await ask({ path: `${indexes}/slug` }), { json: { buildStatus: 'ready' } })
  t.deepEqual(await progress(), [undefined, undefined])
})

/** Every use of an alias; the last one deletes the item. */
const uses: [method: string, path: string, body?: unknown][] = [
  ['GET', '/soup'],
  ['GET', '/soup?version=1.0.0'],
  ['GET', '/soup/events'],
  ['GET', '/soup/data/title'],
  ['POST', '/batch', { operations: [{ op: 'update', item: 'soup', description: 'hot' }] }],
  ['GET', '?alias=eq:soup'],
  ['GET', '/data/title?alias=eq:soup'],
  ['PUT', '/soup?dryRun=true', { description: 'x' }],
  ['PUT', '/soup/data/title', { long: 'Soup' }],
  ['POST', '/soup/data', { title: 'y' }],
  ['PATCH', '/soup/data', [{ op: 'replace', path: '/title', value: 'z' }]],
  ['DELETE', '/soup/data/title'],
  ['DELETE', '/soup'],
]
test.serial('every use of an alias waits for its index, with the errors of its build', async (t) => {
  const { indexes, items, ids } = await listOf({ slug: 'soup', title: 'Soup' }, { slug: 'twice' }, { slug: 'twice' })
  const allAre = async (expected: string) => {
    for (const [method, path, body] of uses) {
      const { status, json } = await ask({ method, path: `${items}${path}`, body })
      t.is(status < 400 ? `${status}` : `${status} ${json?.name}`, expected, `${method} ${path}`)
    }
  }
  await post(indexes, { pathName: 'slug', pointer: '/slug', alias: true })
  await allAre('409 INDEX_BUILDING')
  await runBuilds(gateway.deps.db)
  await allAre('409 INDEX_BUILD_FAILED')
  await put(`${items}/${ids[2]}`, { data: { slug: 'other' } })
  await post(`${indexes}/slug/rebuild`)
  await runBuilds(gateway.deps.db)
  await allAre('200')
})

test.serial('a write and its dry run use only the aliases of the last build', async (t) => {
  const { indexes, items } = await listOf({ slug: 'soup', code: 'A1' })
  await post(indexes, { pathName: 'alias', pointer: '/slug', alias: true })
  await runBuilds(gateway.deps.db)
  await put(`${indexes}/alias`, { pointer: '/code' })
  await runBuilds(gateway.deps.db)
  for (const query of ['?dryRun=true', '']) {
    const taken = await post(`${items}${query}`, { data: { slug: 'cake', code: 'A1' } })
    t.like(taken, { status: 409, json: { name: 'ITEM_ALIAS_TAKEN' } })
    t.is((await post(`${items}${query}`, { data: { slug: 'soup', code: 'A2' } })).status, 201)
  }
})

test.serial('a token that sees no items of the list does not learn that an index is being built', async (t) => {
  const { indexes, items } = await listOf({ slug: 'soup' })
  await post(indexes, { pathName: 'slug', pointer: '/slug', alias: true })
  const rules = [
    { mode: 'allow', action: 'view', resourceType: 'item', listIds: ['00000000-0000-7000-8000-000000000000'] },
  ] as const
  const headers = await account.token(rules.map((rule) => ({ ...rule, listIds: [...rule.listIds] })))
  t.like(await ask({ path: `${items}/soup`, headers }), { status: 404 })
})

test.serial(
  'a build over duplicate aliases fails and says why; corrected and rebuilt, the index is ready',
  async (t) => {
    const { indexes, items, ids } = await listOf({ slug: 'same' }, { slug: 'other' }, { slug: 'same' })
    const { json } = await post(indexes, { pathName: 'slug', pointer: '/slug', alias: true })
    await runBuilds(gateway.deps.db)
    t.like(await ask({ path: `${indexes}/slug` }), { json: { buildStatus: 'failed' } })
    t.like(await ask({ path: `${items}/other` }), { status: 409, json: { name: 'INDEX_BUILD_FAILED', code: 16_007 } })
    const events = `${indexes}/slug/events?type=eq:index-build-failed`
    const [event] = Object((await ask({ path: events })).json).data
    t.is(event.actor, null)
    t.is(event.attachments.reason, 'duplicate-alias')
    t.deepEqual(
      event.attachments.duplicates.map(({ value, itemIds }: { value: string; itemIds: string[] }) => [
        value,
        itemIds.toSorted(),
      ]),
      [['same', [ids[0], ids[2]].toSorted()]],
    )
    const [asToken] = Object((await ask({ path: events, headers: await account.token() })).json).data
    t.deepEqual(Object.keys(asToken.attachments).toSorted(), ['listId', 'message', 'reason'])

    // After the build has failed, writes do not check aliases of the index.
    const twice = [await post(items, { data: { slug: 'twice' } }), await post(items, { data: { slug: 'twice' } })]
    t.deepEqual(
      twice.map(({ status }) => status),
      [201, 201],
    )
    for (const id of [...ids.slice(1), String(twice[1]?.json?.id)]) await put(`${items}/${id}`, { data: { slug: id } })
    t.like(await post(`${indexes}/slug/rebuild`), { status: 200, json: { buildStatus: 'building' } })
    await runBuilds(gateway.deps.db)
    t.like(await ask({ path: `${items}/same` }), { status: 200, json: { id: ids[0] } })
    const id = String(json?.id)
    t.deepEqual(await valuesOf(gateway.deps.db, id), await expectedValues(gateway.deps.db, id))
  },
)

test.serial('a build over values that cannot be aliases fails and names the items', async (t) => {
  const { indexes, ids } = await listOf({ slug: 'x'.repeat(1_025) }, { slug: 'ok' })
  await post(indexes, { pathName: 'slug', pointer: '/slug', alias: true })
  await runBuilds(gateway.deps.db)
  const [event] = Object((await ask({ path: `${indexes}/slug/events` })).json).data
  t.like(event, { type: 'index-build-failed', attachments: { reason: 'invalid-alias' } })
  t.deepEqual(
    event.attachments.items.map(({ itemId }: { itemId: string }) => itemId),
    [ids[0]],
  )
})

const building: [change: Record<string, unknown>, status: string][] = [
  [{ pointer: '/other' }, 'building'],
  [{ valueType: 'number' }, 'building'],
  [{ alias: true }, 'building'],
  [{ searching: true }, 'building'],
  [{ sorting: true, filtering: true, name: 'x', defaultOrderDirection: 'desc', activated: false }, 'ready'],
]
for (const [change, buildStatus] of building) {
  test.serial(
    `on stored items an index with changed ${Object.keys(change)} is ${buildStatus}, without items it is ready`,
    async (t) => {
      const [full, empty] = [await listOf({ slug: 'a' }), await listOf()]
      for (const { indexes } of [full, empty]) await post(indexes, { pathName: 'i', pointer: '/slug' })
      await runBuilds(gateway.deps.db)
      t.like(await put(`${full.indexes}/i`, change), { status: 200, json: { ...change, buildStatus } })
      t.like(await put(`${empty.indexes}/i`, change), { status: 200, json: { ...change, buildStatus: 'ready' } })
    },
  )
}

test.serial('a dry run returns the values of the index, and writes nothing', async (t) => {
  const { indexes, ids } = await listOf({ slug: 'a' }, { slug: 'b' }, { slug: 'a' }, { slug: ['no'] }, {})
  const { status, json } = await post(`${indexes}?dryRun=true`, { pathName: 'slug', pointer: '/slug', alias: true })
  t.is(status, 200)
  const { sample, duplicates, ...counts } = Object(json)
  t.deepEqual(counts, { items: 5, missing: 2 })
  t.deepEqual(
    sample,
    [2, 1, 0].map((n) => ({ itemId: ids[n], value: 'aba'[n] })),
  )
  t.deepEqual(duplicates, [{ value: 'a', itemIds: [ids[2], ids[0]] }])
  t.like(await ask({ path: indexes }), { json: { total: 0 } })
  t.is((await post(`${indexes}?dryRun=true`, { pathName: 'x', pointer: 'x' })).status, 400)
})

test.serial('a dry run covers exactly the items that a token may list', async (t) => {
  const { path, indexes, items, ids } = await listOf({ slug: 'a' }, { slug: 'secret' }, { slug: 'hidden' })
  await put(`${items}/${ids[2]}`, { activated: false })
  const body = { pathName: 'slug', pointer: '/slug' }
  const create = { mode: 'allow', action: 'create', resourceType: 'index' } as const
  const view = { mode: 'allow', action: 'view', resourceType: 'item' } as const
  const dry = async (...rules: Parameters<TestAccount['token']>[0][]) =>
    ask({
      method: 'POST',
      path: `${indexes}?dryRun=true`,
      body,
      headers: await account.token(rules.flat().filter((rule) => rule !== undefined)),
    })
  t.like(await dry([create]), { status: 403, json: { name: 'TOKEN_NOT_AUTHORIZED' } })
  t.like(await dry([create, { ...view, itemIds: [ids[0] ?? ''] }]), { json: { items: 1, sample: [{ value: 'a' }] } })
  t.like(await dry([create, view]), { json: { items: 2, missing: 0 } })
  t.like(await dry([view]), { status: 403 })
  await put(path, { indexable: false })
  t.like(await dry([create, view]), { status: 403, json: { name: 'TOKEN_NOT_AUTHORIZED' } })
})
