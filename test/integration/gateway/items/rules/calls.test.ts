import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import type { Credentials } from '../../../../support/http/callers.ts'
import { type Call, call } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { type RuledItems, ruledItems } from '../../../../support/rules/ruled-gateway.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let at: RuledItems

test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
  at = await ruledItems(gateway)
})

const published = { status: 'eq:published' }
type Rule = Omit<PermissionRule, 'mode'> & { mode?: 'block' }
const ofItems = (rules: Rule[]): PermissionRule[] =>
  rules.map((rule) => ({ mode: 'allow', resourceType: 'item', listIds: [at.listId], ...rule }))
const views: Rule = { action: 'view', where: published }

/** Adds an item to the list. @returns the path and functions for calls about it */
async function itemOf(data: object, more: object = {}) {
  const added = await at.ask({ method: 'POST', path: `${at.path}/items`, body: { data, ...more } })
  const path = `${at.path}/items/${added.json?.id}`
  const put = (body: object) => at.ask({ method: 'PUT', path, body })
  return { id: String(added.json?.id), path, put }
}

async function caller(rules: Rule[], more: PermissionRule[] = []) {
  const headers = (await at.token([...ofItems(rules), ...more]))('nobody')
  return as(headers)
}

const as = (headers: Credentials) => ({
  headers,
  async ask(request: Call) {
    const reply = await call(gateway.port, { ...request, headers: { ...headers, ...request.headers } })
    return { ...reply, is: `${reply.status}${reply.status < 400 ? '' : ` ${reply.json?.name}`}` }
  },
})

const eventsOf = async (path: string): Promise<{ id: string }[]> =>
  Object((await at.ask({ path: `${path}/events` })).json).data

const notFound = '404 REQUESTED_ENTITY_NOT_FOUND'
const forbidden = '403 TOKEN_NOT_AUTHORIZED'

test('what conditions hide does not exist, even if it may be changed; what is visible but not allowed is 403', async (t) => {
  const hidden = await itemOf({ status: 'draft' })
  const shown = await itemOf({ status: 'published' })
  const everywhere = await caller([views, { action: 'update' }, { action: 'delete' }, { action: 'restore' }])
  const nowhere = await caller([
    views,
    { action: 'update', where: { status: 'eq:x' } },
    { action: 'delete', where: { status: 'eq:x' } },
  ])
  const event = String((await eventsOf(hidden.path))[0]?.id)
  const changes: [path: string, call: Omit<Call, 'path'>][] = [
    ['', { method: 'PUT', body: { description: 'x' } }],
    ['', { method: 'DELETE' }],
    ['/data', { method: 'PUT', body: {} }],
    ['/data', { method: 'POST', body: {} }],
    ['/data/status', { method: 'DELETE' }],
    ['/data', { method: 'PATCH', body: [{ op: 'test', path: '/status', value: 'x' }] }],
  ]
  for (const [end, request] of changes) {
    const path = `${end}?dryRun=true`
    const what = `${request.method} ${end}`
    t.is((await everywhere.ask({ ...request, path: hidden.path + path })).is, notFound, what)
    t.is((await nowhere.ask({ ...request, path: hidden.path + path })).is, notFound, what)
    t.is((await nowhere.ask({ ...request, path: shown.path + path })).is, forbidden, what)
  }
  t.is((await everywhere.ask({ method: 'POST', path: `${hidden.path}/events/${event}/restore` })).is, notFound)
  const operations = [{ op: 'update', item: hidden.id, description: 'x' }]
  const batch = await everywhere.ask({ method: 'POST', path: `${at.path}/items/batch`, body: { operations } })
  t.is(batch.is, notFound)
  for (const end of ['', '/data', '/events', '/stats'])
    t.is(
      (await everywhere.ask({ path: hidden.path + end })).is,
      end === '/events' || end === '/stats' ? forbidden : notFound,
      end,
    )
})

test('without conditions for views, a token can change items that it may change but not view', async (t) => {
  const { path } = await itemOf({ status: 'draft' })
  const writer = await caller([{ action: 'update', where: { status: 'eq:draft' } }])
  const written = await writer.ask({ method: 'PUT', path, body: { description: 'x' } })
  t.deepEqual([written.is, written.json?.data], ['200', { status: 'draft' }])
})

test('the response to a write whose result may not be viewed has no data', async (t) => {
  const writer = await caller([views, { action: 'update' }, { action: 'create' }])
  const { path } = await itemOf({ status: 'published' })
  const updated = await writer.ask({ method: 'PUT', path, body: { data: { status: 'draft', secret: 'canary' } } })
  t.is(updated.is, '200')
  t.like(updated.json, { dataHidden: true, version: '1.0.1' })
  t.truthy(updated.json?.etag)
  t.false('data' in Object(updated.json))
  t.false(updated.text.includes('canary'))
  t.is((await writer.ask({ path })).is, notFound)

  const created = await writer.ask({ method: 'POST', path: `${at.path}/items`, body: { data: { status: 'draft' } } })
  t.deepEqual([created.is, created.json?.dataHidden, created.json?.data], ['201', true, undefined])
  const operations = [
    { op: 'create', data: { status: 'draft' } },
    { op: 'create', data: { status: 'published' } },
  ]
  const batch = await writer.ask({ method: 'POST', path: `${at.path}/items/batch`, body: { operations } })
  const results = Object(batch.json).results as { item: { dataHidden?: boolean; data?: unknown } }[]
  t.deepEqual(
    results.map(({ item }) => [item.dataHidden, item.data]),
    [
      [true, undefined],
      [undefined, { status: 'published' }],
    ],
  )
})

test('the response to a repeated request depends on whether its item may be viewed now', async (t) => {
  const writer = await caller([views, { action: 'create' }])
  const request = { method: 'POST', path: `${at.path}/items`, body: { data: { status: 'published' } } }
  const send = () => writer.ask({ ...request, headers: { 'idempotency-key': 'once' } })
  const first = await send()
  t.deepEqual(first.json?.data, { status: 'published' })
  const path = `${at.path}/items/${first.json?.id}`
  t.deepEqual((await send()).json?.data, { status: 'published' })
  await at.ask({ method: 'PUT', path, body: { data: { status: 'draft' } } })
  const again = await send()
  t.deepEqual([again.is, again.json?.dataHidden, again.json?.data], ['201', true, undefined])
  await at.ask({ method: 'DELETE', path })
  t.deepEqual((await send()).json?.dataHidden, true)
})

test('earlier states are shown if they and the current state may be viewed', async (t) => {
  const { path, put } = await itemOf({ status: 'draft', n: 0 })
  await put({ data: { status: 'published', n: 1 } })
  await put({ data: { status: 'published', n: 2 } })
  const reader = await caller([views], [{ mode: 'allow', action: 'view', resourceType: 'event' }])
  t.is((await reader.ask({ path: `${path}?version=1.0.0` })).is, '404 ITEM_VERSION_NOT_RETAINED')
  t.deepEqual((await reader.ask({ path: `${path}?version=1.0.1` })).json?.data, { status: 'published', n: 1 })
  t.is((await reader.ask({ path: `${path}/data?version=1.0.0` })).is, '404 ITEM_VERSION_NOT_RETAINED')

  const events = await reader.ask({ path: `${path}/events?includeSnapshot=true` })
  const reported = (
    Object(events.json).data as { id: string; version: string | null; snapshot?: { data: { n: number } } }[]
  ).map(({ version, snapshot }) => [version, snapshot?.data.n])
  t.deepEqual(reported, [
    ['1.0.2', 2],
    ['1.0.1', 1],
    [null, undefined],
  ])
  const without = await reader.ask({ path: `${path}/events` })
  t.deepEqual(
    (Object(without.json).data as { version: unknown }[]).map(({ version }) => version),
    [null, null, null],
  )
  const [, , first] = Object(events.json).data as { id: string }[]
  const one = await reader.ask({ path: `${path}/events/${first?.id}` })
  t.deepEqual([one.is, one.json?.version, one.json?.snapshot], ['200', null, undefined])
  await put({ data: { status: 'draft' } })
  t.is((await reader.ask({ path: `${path}/events` })).is, notFound)
})

test('a deleted item has its last state', async (t) => {
  const event: PermissionRule = { mode: 'allow', action: 'view', resourceType: 'event' }
  const reader = await caller([views, { action: 'restore' }], [event])
  for (const [status, is] of [
    ['published', '200'],
    ['draft', notFound],
  ]) {
    const { path } = await itemOf({ status })
    const [created] = await eventsOf(path)
    await at.ask({ method: 'DELETE', path })
    t.is((await reader.ask({ path: `${path}/events` })).is, String(is))
    t.is((await reader.ask({ method: 'POST', path: `${path}/events/${created?.id}/restore` })).is, String(is))
  }
})

test('a restore needs both states to be allowed, and to be viewed', async (t) => {
  const { path, put } = await itemOf({ status: 'draft', n: 0 })
  await put({ data: { status: 'published', n: 1 } })
  await put({ data: { status: 'published', n: 2 } })
  const events = await eventsOf(path)
  const [, second, first] = events
  const restore = (who: Awaited<ReturnType<typeof caller>>, event: { id: string } | undefined) =>
    who.ask({ method: 'POST', path: `${path}/events/${event?.id}/restore?dryRun=true` })
  const anything = await caller([views, { action: 'restore' }])
  t.is((await restore(anything, second)).is, '200')
  t.is((await restore(anything, first)).is, forbidden)
  const drafts = await caller([{ action: 'view' }, { action: 'restore', where: { status: 'eq:draft' } }])
  t.is((await restore(drafts, second)).is, forbidden)
  t.is((await restore(drafts, first)).is, forbidden)
  await put({ data: { status: 'draft', n: 3 } })
  t.is((await restore(drafts, second)).is, forbidden)
  t.is((await restore(drafts, first)).is, '200')
})

test('a draft exists for callers that may update it in its current state', async (t) => {
  const { path } = await itemOf({ status: 'draft', n: 1 }, { activated: false })
  const view: Rule = { action: 'view' }
  const where = { status: 'eq:draft' }
  const knows = [
    [view, { action: 'update', where }],
    [view, { action: 'update', where, becomes: { status: 'eq:x' }, changes: ['/x'] }],
    [view, { action: 'update' }, { mode: 'block', action: 'update', changes: ['/status'] }],
  ] satisfies Rule[][]
  const doesNot = [
    [view, { action: 'update', where: published }],
    [
      { ...views, where: published },
      { action: 'update', where },
    ],
    [view, { action: 'update' }, { mode: 'block', action: 'update', where }],
  ] satisfies Rule[][]
  for (const [sets, is] of [
    [knows, '200'],
    [doesNot, notFound],
  ] as const)
    for (const rules of sets) {
      const reader = await caller(rules)
      t.is((await reader.ask({ path })).is, is, JSON.stringify(rules))
      const page = await reader.ask({ path: `${at.path}/items?activated=false&limit=100` })
      const ids = (Object(page.json).data as { id: string }[]).map(({ id }) => `${at.path}/items/${id}`)
      t.is(ids.includes(path), is === '200', JSON.stringify(rules))
    }
})

test('only a caller that sees all items sees their number', async (t) => {
  const more: PermissionRule[] = ['list', 'stats'].map(
    (resourceType) => ({ mode: 'allow', action: 'view', resourceType }) as PermissionRule,
  )
  const reader = await caller([views], more)
  const list = await reader.ask({ path: at.path })
  t.deepEqual([list.is, list.json?.itemCount], ['200', null])
  const page = await reader.ask({ path: '/lists' })
  t.deepEqual(page.json?.data, [list.json])
  t.is((await reader.ask({ path: `${at.path}/stats` })).is, forbidden)
  const all = await caller([{ action: 'view' }], more)
  t.is(typeof (await all.ask({ path: at.path })).json?.itemCount, 'number')
  t.is((await all.ask({ path: `${at.path}/stats` })).is, '200')
})

test('an index that is deleted, deactivated, no longer filters or has changed makes its rule unknown', async (t) => {
  const pathName = 'flag'
  const index = { name: 'Flag', pathName, pointer: '/flag', filtering: true }
  const { path } = await itemOf({ flag: 'up', other: 'up' })
  const indexPath = `${at.path}/indexes/${pathName}`
  const changes: [claim: string, undo: boolean, change: () => Promise<unknown>][] = [
    ['not activated', true, () => at.ask({ method: 'PUT', path: indexPath, body: { activated: false } })],
    ['without filtering', true, () => at.ask({ method: 'PUT', path: indexPath, body: { filtering: false } })],
    ['of another pointer', true, () => at.ask({ method: 'PUT', path: indexPath, body: { pointer: '/other' } })],
    ['of another type', true, () => at.ask({ method: 'PUT', path: indexPath, body: { valueType: 'number' } })],
    ['gone', false, () => at.ask({ method: 'DELETE', path: indexPath })],
    [
      'replaced by another with the same name',
      false,
      async () => {
        await at.ask({ method: 'DELETE', path: indexPath })
        await at.ask({ method: 'POST', path: `${at.path}/indexes`, body: index })
      },
    ],
  ]
  for (const [claim, undo, change] of changes) {
    await at.ask({ method: 'POST', path: `${at.path}/indexes`, body: index })
    const allowed = await caller([{ action: 'view', where: { flag: 'eq:up' } }])
    const blocked = await caller([{ action: 'view' }, { mode: 'block', action: 'view', where: { flag: 'eq:down' } }])
    t.is((await allowed.ask({ path })).is, '200', claim)
    t.is((await blocked.ask({ path })).is, '200', claim)
    await change()
    for (const who of [allowed, blocked]) {
      t.is((await who.ask({ path })).is, notFound, claim)
      t.true((await who.ask({ path: `${at.path}/items` })).status >= 403, claim)
    }
    if (undo) {
      await at.ask({ method: 'PUT', path: indexPath, body: { ...index, valueType: 'string', activated: true } })
      t.is((await allowed.ask({ path })).is, '200', claim)
    }
    await at.ask({ method: 'DELETE', path: indexPath })
  }
})

test('a user that deletes an index that rules name sees which tokens have them, a token how many', async (t) => {
  const index = { name: 'Lane', pathName: 'lane', pointer: '/lane', filtering: true }
  await at.ask({ method: 'POST', path: `${at.path}/indexes`, body: index })
  const name = 'the app'
  const permissions = ofItems([{ action: 'view', where: { lane: 'eq:left' } }])
  await at.ask({ method: 'POST', path: '/tokens', body: { name, permissions } })
  const path = `${at.path}/indexes/lane`
  const reported = async (request: Call) => Object((await at.ask(request)).json).warnings
  t.deepEqual(await reported({ method: 'DELETE', path: `${path}?dryRun=true` }), [
    'The index lane is deleted, and the token "the app" has rules on it.',
  ])
  t.deepEqual(await reported({ method: 'PUT', path, body: { pathName: 'track' } }), undefined)
  t.deepEqual(await reported({ method: 'PUT', path: `${at.path}/indexes/track`, body: { filtering: false } }), [
    'The index track no longer filters, and the token "the app" has rules on it.',
  ])
  await at.ask({ method: 'PUT', path: `${at.path}/indexes/track`, body: { filtering: true } })
  const admin = as(await at.account.token([{ mode: 'allow', action: '*' }]))
  const reply = await admin.ask({ method: 'DELETE', path: `${at.path}/indexes/track?dryRun=true` })
  t.deepEqual(reply.json?.warnings, ['The index track is deleted, and 1 token has rules on it.'])
})

test('while an index that rules need is built, pages wait for it, and single items are decided by their data', async (t) => {
  const index = { name: 'Phase', pathName: 'phase', pointer: '/phase', filtering: true }
  await at.ask({ method: 'POST', path: `${at.path}/indexes`, body: index })
  const { path } = await itemOf({ phase: 'one' })
  const reader = await caller([{ action: 'view', where: { phase: 'eq:one' } }])
  const { db } = gateway.deps
  const build = async (status: string) => {
    await db.run('update indexes set build_status = ? where path_name = ?', [status, 'phase'])
    await db.run('update lists set config_version = config_version + 1 where id = ?', [at.listId])
  }
  await build('building')
  for (const end of ['', '?page=2', '/data']) {
    const reply = await reader.ask({ path: `${at.path}/items${end}` })
    t.is(reply.is, '409 INDEX_BUILDING')
    t.deepEqual(reply.json?.details, { index: 'phase' })
  }
  t.is((await reader.ask({ path })).is, '200')
  await build('ready')
  t.is((await reader.ask({ path: `${at.path}/items` })).is, '200')
})
