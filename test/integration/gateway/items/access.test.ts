import test from 'ava'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { newId } from '#shared/crypto/ids.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let mine: TestAccount
let itemId: string

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: itemRoutes })
  mine = await makeAccount(gateway.deps.db)
  const indexes = [{ pathName: 'slug', pointer: '/slug', alias: true }]
  await addList(gateway.deps.db, mine.accountId, { indexes })
  await addList(gateway.deps.db, mine.accountId, { pathName: 'other', indexes })
  const body = { data: { slug: 'soup', canary: 'canary-7' } }
  const created = await call(gateway.port, { method: 'POST', path: '/lists/recipes/items', headers: mine.user, body })
  itemId = String(created.json?.id)
})

/** Everything that a client can distinguish, without the request id and the date. */
const reported = ({ status, text, headers }: Reply) => ({
  status,
  text: text.replace(headers['x-request-id'] ?? '', ''),
  headers: { ...headers, 'x-request-id': '', date: '' },
})

const calls = (list: string, item: string): Call[] => [
  { path: `/lists/${list}/items/${item}` },
  { method: 'PUT', path: `/lists/${list}/items/${item}`, body: { description: 'mine now' } },
  { method: 'DELETE', path: `/lists/${list}/items/${item}` },
]

const allow = (action: PermissionRule['action'], rest: Partial<PermissionRule> = {}): PermissionRule => ({
  mode: 'allow',
  action,
  resourceType: 'item',
  ...rest,
})

/** Statuses of GET, PUT and DELETE of the item, of a POST to its list, and of a GET of an item that does not exist. */
const table: [claim: string, rules: () => PermissionRule[], expected: number[]][] = [
  ['no rules: nothing ever allowed', () => [], [403, 403, 403, 403, 403]],
  ['view only', () => [allow('view')], [200, 403, 403, 403, 404]],
  ['view of another list only', () => [allow('view', { listIds: [newId()] })], [404, 403, 403, 403, 404]],
  ['update of another list only', () => [allow('update', { listIds: [newId()] })], [403, 404, 403, 403, 403]],
  [
    'view here, update elsewhere',
    () => [allow('view'), allow('update', { listIds: [newId()] })],
    [200, 403, 403, 403, 404],
  ],
  ['this item alone', () => [allow('view', { itemIds: [itemId] })], [200, 403, 403, 403, 404]],
  ['another item alone', () => [allow('view', { itemIds: [newId()] })], [404, 403, 403, 403, 404]],
  ['rules on lists say nothing of items', () => [allow('*', { resourceType: 'list' })], [403, 403, 403, 403, 403]],
  ['creating elsewhere', () => [allow('create', { listIds: [newId()] })], [403, 403, 403, 404, 403]],
  [
    'creating elsewhere, viewing here',
    () => [allow('view'), allow('create', { listIds: [newId()] })],
    [200, 403, 403, 403, 404],
  ],
]

for (const [claim, rules, expected] of table) {
  test.serial(`permissions: ${claim}`, async (t) => {
    const headers = await mine.token(rules())
    const missing = `/lists/recipes/items/${newId()}`
    const create: Call = { method: 'POST', path: '/lists/recipes/items', body: {} }
    const statuses: number[] = []
    for (const request of [...calls('recipes', itemId), create, { path: missing }]) {
      const { status, text } = await call(gateway.port, { ...request, headers })
      if (status !== 200) t.false(text.includes('canary'))
      statuses.push(status)
    }
    t.deepEqual(statuses, expected)
  })
}

test('a token without a rule for the action learns nothing about what exists', async (t) => {
  const headers = await mine.token([allow('create')])
  const real = await call(gateway.port, { path: `/lists/recipes/items/${itemId}`, headers })
  const unreal = await call(gateway.port, { path: `/lists/${newId()}/items/${newId()}`, headers })
  t.deepEqual(reported(real), reported(unreal))
  t.is(real.status, 403)
})

test('an alias is valid only in its list', async (t) => {
  t.is((await call(gateway.port, { path: '/lists/other/items/soup', headers: mine.user })).status, 404)
  t.is((await call(gateway.port, { path: `/lists/other/items/${itemId}`, headers: mine.user })).status, 404)
})
