import test from 'ava'
import { eventRoutes } from '#services/gateway/resources/events/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { newId } from '#shared/crypto/ids.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { logEvent } from '../../../support/databases/contents/events.ts'
import { addList, modifyList } from '../../../support/databases/contents/lists.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { call, type Reply } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let mine: TestAccount
let theirs: TestAccount
let listId: string
let indexId: string
let itemId: string
let deletedId: string

const items = '/lists/recipes/items'
const get = (path: string, headers: Record<string, string>) => call(gateway.port, { path, headers })
const create = async (headers: Record<string, string>, data: unknown) =>
  String((await call(gateway.port, { method: 'POST', path: items, headers, body: { data } })).json?.id)

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...eventRoutes, ...itemRoutes] })
  const { db } = gateway.deps
  mine = await makeAccount(db)
  theirs = await makeAccount(db)
  const { accountId } = mine
  listId = await addList(db, accountId, { indexes: [{ pathName: 'slug', pointer: '/slug', alias: true }] })
  indexId = String((await db.get('select id from indexes where list_id = ?', [listId]))?.id)
  await addList(db, theirs.accountId)
  await logEvent(db, { accountId, stream: 'list', type: 'list-created', modelId: listId, listId })
  await logEvent(db, { accountId, stream: 'index', type: 'index-created', modelId: indexId, listId })
  itemId = await create(mine.user, { slug: 'soup', canary: 'canary' })
  deletedId = await create(mine.user, { canary: 'canary' })
  await call(gateway.port, { method: 'DELETE', path: `${items}/${deletedId}`, headers: mine.user })
})

/** Everything that a client can distinguish, without the request id and the date. */
const reported = ({ status, text, headers }: Reply) => ({
  status,
  text: text.replace(headers['x-request-id'] ?? '', ''),
  headers: { ...headers, 'x-request-id': '', date: '' },
})

const eventOf = async (modelId: string) =>
  String((await gateway.deps.db.get('select id from events where model_id = ? order by id', [modelId]))?.id)

test("the events of another account's deleted item get the same response, byte for byte, as ids that never existed", async (t) => {
  for (const headers of [theirs.user, await theirs.token()]) {
    for (const list of ['recipes', listId]) {
      const thing = `/lists/${list}/items/${deletedId}`
      for (const path of [`${thing}/events`, `${thing}/events/${await eventOf(deletedId)}`]) {
        const real = await get(path, headers)
        const unreal = await get(
          path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, () => newId()),
          headers,
        )
        t.deepEqual(reported(real), reported(unreal), path)
        t.is(real.json?.name, 'REQUESTED_ENTITY_NOT_FOUND')
      }
    }
  }
})

test('an event belongs to its resource: it is not found under another one', async (t) => {
  const event = await eventOf(itemId)
  t.is((await get(`${items}/${itemId}/events/${event}`, mine.user)).status, 200)
  for (const path of [`/lists/recipes/events/${event}`, `${items}/${deletedId}/events/${event}`]) {
    t.is((await get(path, mine.user)).status, 404, path)
  }
})

const allow = (resourceType: PermissionRule['resourceType'], rest: Partial<PermissionRule> = {}): PermissionRule => ({
  mode: 'allow',
  action: 'view',
  ...(resourceType && { resourceType }),
  ...rest,
})

/** Statuses for the events of the list, the item, a deleted item, the index, and an item that does not exist. */
const table: [claim: string, rules: () => PermissionRule[], expected: number[]][] = [
  ['no rules: nothing ever allowed', () => [], [403, 403, 403, 403, 403]],
  ['everything may be viewed', () => [allow(undefined)], [200, 200, 200, 200, 404]],
  ['events alone are not enough', () => [allow('event')], [403, 403, 403, 403, 403]],
  ['items alone are not enough', () => [allow('item')], [403, 403, 403, 403, 403]],
  ['items and events', () => [allow('item'), allow('event')], [403, 200, 200, 403, 404]],
  ['lists and events', () => [allow('list'), allow('event')], [200, 403, 403, 403, 403]],
  ['indexes and events', () => [allow('index'), allow('event')], [403, 403, 403, 200, 403]],
  [
    'events of another list only',
    () => [allow('list'), allow('item'), allow('index'), allow('event', { listIds: [newId()] })],
    [404, 404, 404, 404, 404],
  ],
  ['one item, and all events', () => [allow('item', { itemIds: [itemId] }), allow('event')], [403, 200, 404, 403, 404]],
  [
    'all items, and the events of a deleted one',
    () => [allow('item'), allow('event', { itemIds: [deletedId] })],
    [403, 404, 200, 403, 404],
  ],
]

for (const [claim, rules, expected] of table) {
  test(`permissions: ${claim}`, async (t) => {
    const headers = await mine.token(rules())
    const things: [string, string][] = [
      ['/lists/recipes', listId],
      [`${items}/${itemId}`, itemId],
      [`${items}/${deletedId}`, deletedId],
      ['/lists/recipes/indexes/slug', indexId],
      [`${items}/${newId()}`, itemId],
    ]
    const statuses: number[] = []
    for (const [thing, modelId] of things) {
      const page = await get(`${thing}/events?includeSnapshot=true`, headers)
      const single = await get(`${thing}/events/${await eventOf(modelId)}`, headers)
      t.is(single.status, page.status, thing)
      if (page.status !== 200) t.false(page.text.includes('canary') || single.text.includes('canary'))
      statuses.push(page.status)
    }
    t.deepEqual(statuses, expected)
  })
}

test('rules for owners show an identity the events of its own items, deleted ones too, and of no others', async (t) => {
  const { db } = gateway.deps
  const owner = await makeIdentity(db, { accountId: mine.accountId, name: 'ann' })
  const other = await makeIdentity(db, { accountId: mine.accountId, name: 'bob' })
  const actions = ['authenticate', 'create-with-identity', 'view-with-identity', 'delete-with-identity'] as const
  const token = await mine.token(actions.map((action) => ({ mode: 'allow', action })))
  const asOwner = { ...token, ...owner.headers }
  const live = await create(asOwner, { n: 1 })
  const gone = await create(asOwner, { n: 2 })
  await call(gateway.port, { method: 'DELETE', path: `${items}/${gone}`, headers: asOwner })
  for (const id of [live, gone]) {
    for (const path of [`${items}/${id}/events`, `${items}/${id}/events/${await eventOf(id)}`]) {
      t.is((await get(path, asOwner)).status, 200, path)
      const theirAnswer = await get(path, { ...token, ...other.headers })
      const nobodys = await get(path.replace(id, newId()), { ...token, ...other.headers })
      t.deepEqual(reported(theirAnswer), reported(nobodys))
      t.is(theirAnswer.status, 404)
      t.is((await get(path, token)).status, 403)
    }
  }
  t.is((await get(`${items}/${itemId}/events`, asOwner)).status, 404)
})

test('the owning identity sees guarded values when it requests them, and no other caller with a token does', async (t) => {
  const { db } = gateway.deps
  const { accountId } = mine
  await addList(db, accountId, { pathName: 'safe', indexes: [{ pathName: 'pin', pointer: '/pin', guard: true }] })
  const owner = await makeIdentity(db, { accountId, name: 'eve' })
  const other = await makeIdentity(db, { accountId, name: 'dan' })
  const token = await mine.token()
  const headers = { ...token, ...owner.headers }
  const body = { data: { pin: 'canary' } }
  const created = await call(gateway.port, { method: 'POST', path: '/lists/safe/items', headers, body })
  const path = `/lists/safe/items/${created.json?.id}/events?includeSnapshot=true`
  t.true((await get(`${path}&includeGuarded=true`, headers)).text.includes('canary'))
  t.false((await get(path, headers)).text.includes('canary'))
  t.false((await get(`${path}&includeGuarded=true`, { ...token, ...other.headers })).text.includes('canary'))
  t.false((await get(`${path}&includeGuarded=true`, token)).text.includes('canary'))
})

test('an item that is not activated is hidden with its events, even when deleted, from tokens that may not update items', async (t) => {
  const { db } = gateway.deps
  const hiddenList = await addList(db, mine.accountId, { pathName: 'hidden' })
  const hidden = { method: 'POST', path: '/lists/hidden/items', headers: mine.user, body: { activated: false } }
  const live = String((await call(gateway.port, hidden)).json?.id)
  const gone = String((await call(gateway.port, hidden)).json?.id)
  await call(gateway.port, { method: 'DELETE', path: `/lists/hidden/items/${gone}`, headers: mine.user })
  const token = await mine.token([{ mode: 'allow', action: 'view' }])
  const paths = [`/lists/hidden/items/${live}/events`, `/lists/hidden/items/${gone}/events`]
  for (const path of paths) {
    t.is((await get(path, mine.user)).status, 200)
    t.is((await get(path, await mine.token())).status, 200)
    t.is((await get(path, token)).status, 404)
  }
  t.is((await get('/lists/hidden/events', token)).status, 200)
  await modifyList(db, hiddenList, { activated: false })
  t.is((await get('/lists/hidden/events', token)).status, 404)
  t.is((await get('/lists/hidden/events', mine.user)).status, 200)
})
