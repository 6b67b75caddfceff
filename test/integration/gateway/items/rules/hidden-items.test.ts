import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { newId } from '#shared/crypto/ids.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { type Credentials, makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { type Call, call } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { seeded } from '../../../../support/load/random-json.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount

test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
  account = await makeAccount(gateway.deps.db)
})

const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })

const use = { filtering: true, sorting: true }
const indexes = [
  { pathName: 'status', pointer: '/status', ...use },
  { pathName: 'title', pointer: '/title', ...use, searching: true },
  { pathName: 'rank', pointer: '/rank', valueType: 'number', ...use },
  { pathName: 'labels', pointer: '/labels', filtering: true },
]

/** An answer without the parts that differ each time: the ids and times of requests, and cursors. */
function stable(text: string, headers: Record<string, unknown>) {
  const reported = text.replaceAll(/"requestId":"[^"]*"/g, '').replaceAll(/"next":"[^"]*"/g, '"next":"…"')
  const names = Object.keys(headers).filter((name) => !/date|request-id|content-length/.test(name))
  return [reported, names.map((name) => [name, headers[name]])]
}

const queries = [
  '', 'order=updatedAt', 'order=title&direction=desc', 'order=rank', 'order=size', 'order=rank&limit=2&page=2', 'limit=2&page=3',
  'title=soup', 'title=eq:secret', 'rank=gte:3', 'rank=null', 'labels=a', 'status=eq:draft', 'status=not:eq:published', 'size=gt:40',
  'tagged=x', 'tagged=null', 'readonly=true', 'identityId=null', 'createdAt=after:2020-01-01', 'search=soup', 'search=secret&order=rank',
  'activated=any', 'activated=false', 'version=1.0.1',
  `where=${encodeURIComponent('{"or":[{"status":"eq:draft"},{"title":"secret"}]}')}`,
  `where=${encodeURIComponent('{"not":{"status":"eq:published"}}')}`,
] // biome-ignore format: a list

/** Every read of a list, and every write as a dry run. */
function requestsOf(path: string, { shown, hidden }: { shown: string; hidden: string }): Call[] {
  const patch = [{ op: 'test', path: '/title', value: 'secret' }]
  const writes: Call[] = [shown, hidden, newId()].flatMap((id): Call[] => [
    { method: 'PUT', path: `/${id}`, body: { description: 'x' } },
    { method: 'PUT', path: `/${id}`, body: { data: { status: 'draft' } } },
    { method: 'DELETE', path: `/${id}` },
    { method: 'PATCH', path: `/${id}/data`, body: patch },
    { method: 'POST', path: `/${id}/data`, body: { rank: 1 } },
    { method: 'DELETE', path: `/${id}/data/title` },
    { method: 'POST', path: '/batch', body: { operations: [{ op: 'update', item: id, tags: [] }] } },
    { method: 'POST', path: `/${id}/events/${newId()}/restore` },
  ])
  const reads = [shown, hidden].flatMap((id) => [
    `/${id}`,
    `/${id}/data`,
    `/${id}/events`,
    `/${id}/stats`,
    `/${id}?version=1.0.0`,
  ])
  return [
    ...['', '/stats', '/indexes', '/events', '/search?query=soup', '/search?query=secret&includeItems=true'].map(
      (end) => ({
        path: path + end,
      }),
    ),
    { path: '/lists' },
    ...queries.map((query) => ({ path: `${path}/items?includeData=true&${query}` })),
    { path: `${path}/items/data` },
    ...reads.map((end) => ({ path: `${path}/items${end}` })),
    ...writes.map(({ path: end, ...request }) => ({ ...request, path: `${path}/items${end}?dryRun=true` })),
    { method: 'POST', path: `${path}/items?dryRun=true`, body: { data: { status: 'draft', title: 'New' } } },
  ]
}

async function answers(headers: Credentials, requests: readonly Call[]) {
  const reported: unknown[] = []
  for (const request of requests) {
    const reply = await call(gateway.port, { ...request, headers })
    // A dry run returns the time and the id that it would write, so the text differs each time.
    const text = request.method ? '' : reply.text
    reported.push([request.method, request.path, reply.status, reply.json?.name, ...stable(text, reply.headers)])
  }
  return reported
}

/** The ids of a walk by cursor: the number of calls may differ, but not their result. */
async function walk(headers: Credentials, path: string): Promise<string[]> {
  const ids: string[] = []
  for (let after: string | null = ''; after !== null; ) {
    const { json } = await call(gateway.port, { path: `${path}&limit=2&after=${encodeURIComponent(after)}`, headers })
    ids.push(...(Object(json).data as { id: string }[]).map(({ id }) => id))
    after = Object(json).next
  }
  return ids
}

test('no response reveals items that conditions hide: it is the same whatever they are', async (t) => {
  const random = seeded(7)
  const one = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
  const pathName = `posts-${newId()}`
  const listId = await addList(gateway.deps.db, account.accountId, { pathName, indexes })
  const path = `/lists/${listId}`
  const create = async (body: object) => String((await ask({ method: 'POST', path: `${path}/items`, body })).json?.id)
  const hiddenData = () => ({
    status: one(['draft', 'secret', null]),
    title: one(['soup', 'secret', 'soup secret soup', 5]),
    rank: one([1, 3, 5, null]),
    labels: one([[], ['a', 'b'], 'a']),
    more: 'x'.repeat(Math.floor(random() * 100)),
  })
  const data = (n: number) => ({ status: 'published', title: `soup ${n}`, rank: n % 4, labels: ['a', `l${n}`] })
  const [shown = ''] = await Promise.all(Array.from({ length: 7 }, (_, n) => create({ data: data(n), tags: ['x'] })))
  const ofItems = { resourceType: 'item', listIds: [listId] } as const
  const rules: PermissionRule[] = [
    ...(['list', 'index', 'event', 'stats'] as const).map(
      (resourceType): PermissionRule => ({ mode: 'allow', action: 'view', resourceType }),
    ),
    { mode: 'allow', action: 'view', ...ofItems, listIds: [listId], where: { status: 'eq:published' } },
    ...(['create', 'update', 'delete', 'restore'] as const).map(
      (action): PermissionRule => ({ mode: 'allow', action, ...ofItems, listIds: [listId] }),
    ),
  ]
  const headers = await account.token(rules)
  const hidden = [await create({ data: hiddenData() })]
  const requests = requestsOf(path, { shown, hidden: hidden[0] ?? '' })
  const [expected, walked] = [await answers(headers, requests), await walk(headers, `${path}/items?order=rank`)]
  t.is(walked.length, 7)
  for (let round = 0; round < 4; round++) {
    const body = {
      data: hiddenData(),
      tags: one([[], ['x']]),
      readonly: one([true, false]),
      activated: one([true, false]),
    }
    for (let n = 0; n < 3; n++) hidden.push(await create({ ...body, data: hiddenData() }))
    await ask({
      method: 'PUT',
      path: `${path}/items/${hidden[0]}`,
      body: { data: hiddenData(), description: 'changed' },
    })
    await ask({ method: 'DELETE', path: `${path}/items/${hidden.pop()}` })
    const reported = await answers(headers, requests)
    for (const [n, answer] of reported.entries()) t.deepEqual(answer, expected[n])
    t.deepEqual(await walk(headers, `${path}/items?order=rank`), walked)
  }
})
