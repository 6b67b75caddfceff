import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { makeWebhook } from '../../../support/databases/contents/rows.ts'
import { addFlow } from '../../../support/flows/stored-flows.ts'
import { type Credentials, makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
})

const indexes = {
  minutes: { pointer: '/minutes', valueType: 'number', filtering: true, sorting: true },
  slug: { pointer: '/slug', alias: true },
  title: { pointer: '/title', searching: true },
}
const document = (lists: object) => ({ scope: 'shop', lists })
const whole = { cards: { indexes } }

const page = (more: object) => ({ id: 'page', type: 'list-items', list: 'Cards', ...more })
const end = { id: 'end', type: 'respond' }
/** A flow with one node. */
const flow = (name: string, node: object) => ({
  version: 1,
  name,
  entry: { type: 'endpoint', path: name.toLowerCase() },
  nodes: [{ ...node }, end],
  edges: [[(node as { id: string }).id, 'end']],
})

/** An account with a list of many indexes, and flows that use them. */
async function setUp() {
  const { db } = gateway.deps
  const account = await makeAccount(db)
  const { accountId, user } = account
  const ask = async (method: string, path: string, body?: unknown, headers: Credentials = user) => {
    const { status, json } = await call(gateway.port, { method, path, headers, ...(body !== undefined && { body }) })
    return { status, json: Object(json), warnings: Object(json).warnings as string[] | undefined }
  }
  await ask('POST', '/sync-schema', document(whole))
  const add = (name: string, node: object) => addFlow(db, accountId, flow(name, node))
  return { db, account, accountId, ask, add, token: (rules: PermissionRule[]) => account.token(rules) }
}

const pages = {
  Vote: page({ where: { minutes: { filter: '"gt:5"' } } }),
  Tally: page({ where: { or: '[{minutes: 5}, {tagged: "new"}]' } }),
  Newest: page({ order: 'minutes' }),
  Find: page({ where: { search: '"soup"' } }),
}

async function withPages() {
  const world = await setUp()
  for (const [name, node] of Object.entries(pages)) await world.add(name, node)
  return world
}

test('a change of an index is applied, and names the flows that used it before', async (t) => {
  const { ask } = await withPages()
  const put = (body: object) => ask('PUT', '/lists/cards/indexes/minutes', body)
  t.is((await put({ description: 'How long it takes.' })).warnings, undefined)
  t.like(await put({ filtering: false }), {
    status: 200,
    json: { filtering: false },
    warnings: ['The index minutes no longer filters, and the flows "Tally" and "Vote" filter by it.'],
  })
  t.deepEqual((await put({ valueType: 'string' })).warnings, [
    'The index minutes has a new value type, and the flow "Newest" reads items in its order.',
  ])
  t.deepEqual((await put({ pathName: 'time' })).warnings, [
    'The path name minutes of an index becomes time, and the flow "Newest" reads items in its order.',
  ])
  t.deepEqual((await ask('PUT', '/lists/cards/indexes/title', { activated: false })).warnings, [
    'The index title is no longer searched, and the flow "Find" searches the list.',
  ])
})

test('a dry run of the deletion of an index and the deletion itself report the same', async (t) => {
  const { ask, add } = await withPages()
  const warnings = [
    'The index minutes is deleted, and the flows "Tally" and "Vote" filter by it.',
    'The index minutes is deleted, and the flow "Newest" reads items in its order.',
  ]
  const path = '/lists/cards/indexes/minutes'
  t.like(await ask('DELETE', `${path}?dryRun=true`), { status: 200, json: { warnings } })
  t.is((await ask('GET', path)).status, 200)
  t.is((await ask('DELETE', path)).status, 204)
  t.is((await ask('GET', path)).status, 404)
  t.like(await ask('DELETE', '/lists/cards/indexes/slug?dryRun=true'), { status: 200, json: { warnings: [] } })
  await add('Get', { id: 'card', type: 'get-item', list: 'cards', item: '"a"' })
  t.deepEqual((await ask('DELETE', '/lists/cards/indexes/slug?dryRun=true')).warnings, [
    'The index slug is deleted, and the flow "Get" may find items by it.',
  ])
  await ask('DELETE', '/lists/cards/indexes/title')
  await ask('POST', '/lists/cards/indexes', { pathName: 'unused', pointer: '/unused', filtering: true })
  t.is((await ask('DELETE', '/lists/cards/indexes/unused')).status, 204)
  t.is((await ask('DELETE', '/lists/cards/indexes/unused?dryRun=true')).status, 404)
})

test('an index that starts to guard its values warns of flows that read items without them', async (t) => {
  const { ask, add } = await setUp()
  await add('Get', { id: 'card', type: 'get-item', list: 'cards', item: '"a"' })
  await add('Sees', { id: 'card', type: 'get-item', list: 'cards', item: '"a"', guarded: true })
  const body = { pathName: 'secret', pointer: '/secret', guard: true }
  const warnings = ['The index secret guards its values, and the flow "Get" reads items without its values.']
  t.deepEqual((await ask('POST', '/lists/cards/indexes?dryRun=true', body)).warnings, warnings)
  t.like(await ask('POST', '/lists/cards/indexes', body), { status: 201, warnings })
})

test('a change of a list names the flows that use it', async (t) => {
  const { ask, add } = await setUp()
  await add('Read', page({}))
  await add('Write', { id: 'created', type: 'create-item', list: 'cards', data: '{}' })
  const put = (path: string, body: object) => ask('PUT', path, body)
  t.is((await put('/lists/cards', { description: 'x' })).warnings, undefined)
  t.deepEqual((await put('/lists/cards', { readonly: true })).warnings, [
    'The list cards becomes read-only, and the flow "Write" writes to the list.',
  ])
  t.deepEqual((await put('/lists/cards', { readonly: false, activated: false })).warnings, [
    'The list cards is hidden from tokens only, and the flows "Read" and "Write" use the list.',
  ])
  const deleted = ['The list cards is deleted, and the flows "Read" and "Write" use the list.']
  t.like(await ask('DELETE', '/lists/cards?dryRun=true'), { status: 200, json: { warnings: deleted } })
  t.like(await put('/lists/cards', { pathName: 'decks' }), {
    status: 200,
    json: { pathName: 'decks' },
    warnings: ['The path name cards becomes decks, and the flows "Read" and "Write" use the list.'],
  })
  t.like(await ask('DELETE', '/lists/decks'), { status: 204 }, 'no flow has its present name')
})

test('a run continues in a list that is hidden from tokens', async (t) => {
  const { ask } = await setUp()
  const document = flow('Write', { id: 'created', type: 'create-item', list: 'cards', data: '{}' })
  t.is((await ask('POST', '/flow-definitions', { document })).status, 201)
  await ask('PUT', '/lists/cards', { activated: false })
  t.is((await ask('POST', '/flows/write', {})).status, 200)
})

test('a plan names the flows whose uses it removes, in a dry run and when it is applied, with the same hash', async (t) => {
  const { ask, add } = await withPages()
  const { slug } = indexes
  const next = document({ cards: { indexes: { slug, minutes: { pointer: '/time' } } } })
  const query = '?prune=true&allowRebuild=true&allowDestructive=true'
  const warningsOf = (json: Record<string, unknown>) => {
    const changes = json.changes as { index?: string; warnings?: string[] }[]
    return Object.fromEntries(changes.map(({ index = 'list', warnings = [] }) => [index, warnings]))
  }
  const warnings = {
    list: [],
    slug: [],
    minutes: [
      'The index minutes has a new pointer, and the flows "Tally" and "Vote" filter by it.',
      'The index minutes has a new pointer, and the flow "Newest" reads items in its order.',
    ],
    title: ['The index title is deleted, and the flow "Find" searches the list.'],
  }
  const planned = await ask('POST', `/sync-schema${query}&dryRun=true`, next)
  t.deepEqual(warningsOf(planned.json), warnings)
  await add('More', pages.Vote)
  const { planHash } = (await ask('POST', `/sync-schema${query}&dryRun=true`, next)).json
  t.is(planHash, planned.json.planHash, 'warnings do not change the plan')
  const applied = await ask('POST', `/sync-schema${query}`, next)
  t.true(applied.json.applied)
  t.regex(warningsOf(applied.json).minutes?.[0] ?? '', /and the flows "More", "Tally" and "Vote" filter by it\.$/)
  const without = await ask('POST', `/sync-schema${query}&dryRun=true`, { scope: 'shop', lists: {} })
  t.deepEqual(warningsOf(without.json).list, [
    'The list cards is deleted, and the flows "Find", "More", "Newest", "Tally" and "Vote" use the list.',
  ])
})

test('a token sees the names of the flows that it may view, and the number of others', async (t) => {
  const { ask, add, token } = await setUp()
  const id = await add('Vote', pages.Vote)
  await add('Tally', pages.Tally)
  const lists: PermissionRule[] = [
    { mode: 'allow', action: 'delete', resourceType: 'index' },
    { mode: 'allow', action: 'sync-schema', resourceType: 'list' },
  ]
  const viewing = { mode: 'allow', action: 'view', resourceType: 'flow' } as const
  const cases: [rules: PermissionRule[], words: string][] = [
    [[], '2 flows filter'],
    [[{ ...viewing, flowIds: [id] }], 'the flows "Vote" and 1 other filter'],
    [[viewing], 'the flows "Tally" and "Vote" filter'],
  ]
  for (const [rules, words] of cases) {
    const headers = await token([...lists, ...rules])
    const warnings = [`The index minutes is deleted, and ${words} by it.`]
    t.deepEqual(
      (await ask('DELETE', '/lists/cards/indexes/minutes?dryRun=true', undefined, headers)).warnings,
      warnings,
    )
    const { json } = await ask(
      'POST',
      '/sync-schema?dryRun=true&prune=true',
      document({ cards: { indexes: {} } }),
      headers,
    )
    const [, ...changes] = json.changes as { index?: string; warnings?: string[] }[]
    t.deepEqual(changes.find(({ index }) => index === 'minutes')?.warnings, warnings)
  }
  const other = await setUp()
  t.is((await other.ask('DELETE', '/lists/cards/indexes/minutes')).status, 204, 'flows of other accounts are not named')
})

test('uses of an earlier document, or of a deleted flow, are not reported', async (t) => {
  const { ask } = await setUp()
  const saved = await ask('POST', '/flow-definitions', { document: flow('Vote', pages.Vote) })
  t.is(saved.status, 201)
  const warned = async () => (await ask('DELETE', '/lists/cards/indexes/minutes?dryRun=true')).warnings
  t.is((await warned())?.length, 1)
  await ask('PATCH', '/flow-definitions/vote', { activated: false })
  t.is((await warned())?.length, 1, 'it may run again')
  await ask('PUT', '/flow-definitions/vote', { document: flow('Vote', page({})) })
  t.deepEqual(await warned(), [])
  await ask('PUT', '/flow-definitions/vote', { document: flow('Vote', pages.Newest) })
  t.is((await warned())?.length, 1)
  t.is((await ask('DELETE', '/flow-definitions/vote')).status, 204)
  t.deepEqual(await warned(), [])
})

test('deactivating or deleting a webhook names the flows that emit to it', async (t) => {
  const { ask, add, db, accountId } = await setUp()
  const id = await makeWebhook(db, { accountId })
  await add('Shout', { id: 'out', type: 'emit', webhooks: [id], payload: '1' })
  t.is((await ask('PUT', `/webhooks/${id}`, { description: 'x' })).warnings, undefined)
  t.like(await ask('PUT', `/webhooks/${id}`, { activated: false }), {
    status: 200,
    warnings: ['The webhook is no longer active, and the flow "Shout" emits to it.'],
  })
  const warnings = ['The webhook is deleted, and the flow "Shout" emits to it.']
  t.like(await ask('DELETE', `/webhooks/${id}?dryRun=true`), { status: 200, json: { warnings } })
  t.is((await ask('DELETE', `/webhooks/${id}`)).status, 204)
  t.is((await ask('DELETE', `/webhooks/${id}?dryRun=true`)).status, 404)
})

test('a flow is saved with warnings about what its lists do not serve, and again when it is activated', async (t) => {
  const { ask } = await setUp()
  const document = flow('Vote', page({ where: { kind: '1' } }))
  const saved = await ask('POST', '/flow-definitions', { document })
  t.is(saved.status, 201)
  const unknown = { severity: 'warning', code: 'UNKNOWN_INDEX', path: 'nodes.0.where.kind' }
  t.like(saved.json.diagnostics, [unknown])
  const good = await ask('PUT', '/flow-definitions/vote', { document: flow('Vote', pages.Vote) })
  t.false('diagnostics' in good.json)
  await ask('PATCH', '/flow-definitions/vote', { activated: false })
  await ask('DELETE', '/lists/cards')
  const begins = await ask('PATCH', '/flow-definitions/vote', { activated: true })
  t.like(begins, { status: 200, json: { activated: true, diagnostics: [{ severity: 'error', code: 'UNKNOWN_LIST' }] } })
  t.false('diagnostics' in (await ask('PATCH', '/flow-definitions/vote', { logged: 'failures' })).json)
})
