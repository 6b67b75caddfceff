import test from 'ava'
import { testPassword } from '../support/http/credentials.ts'
import { shared } from '../support/test-context/shared.ts'
import { setScene, setSceneOn } from '../support/webhooks/scene.ts'
import { dataOf, type TypedClient, typedClient } from './client.ts'

const base = shared((t) => setScene(t, { webhooks: 0 }))

/** Clients of a new account: without credentials, with its token, and as its user, who signs in. */
async function account() {
  const listd = await base().listd.anotherAccount()
  const anyone = typedClient(listd)
  const { email, token } = listd.credentials
  const session = dataOf(await anyone.POST('/auth/login', { body: { email, password: testPassword } }))
  const user = typedClient(listd, { authorization: `Bearer ${session.token}` })
  return { listd, anyone, user, email, api: typedClient(listd, { 'x-api-token': token }) }
}

const schema = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } }
const list = 'notes'
const valueType = 'number' as const

async function createNotes(api: TypedClient, titles: string[] = []) {
  const created = dataOf(await api.POST('/lists', { body: { name: 'Notes', pathName: list, schema } }))
  for (const title of titles) {
    dataOf(await api.POST('/lists/{list}/items', { params: { path: { list } }, body: { data: { title } } }))
  }
  return created
}

test('a user signs in and out', async (t) => {
  const { anyone, user, email } = await account()
  const self = dataOf(await user.GET('/auth/self'))
  t.is('account' in self && self.user.email, email)
  const wrong = await anyone.POST('/auth/login', { body: { email, password: 'wrong' } })
  t.is(wrong.error?.name, 'USER_NOT_AUTHENTICATED')
  // @ts-expect-error a login needs a password
  const without = await anyone.POST('/auth/login', { body: { email } })
  t.deepEqual(without.error?.details?.errors?.[0]?.path, 'password')
  t.is((await user.POST('/auth/logout')).response.status, 204)
  const { error } = await user.GET('/auth/self')
  t.is(error?.name, 'USER_NOT_AUTHENTICATED')
  // @ts-expect-error the call has no such error
  t.false(error?.name === 'LIST_READONLY')
})

test('a list with a schema accepts matching items', async (t) => {
  const { api } = await account()
  const created = await createNotes(api)
  t.deepEqual(created.schema?.required, ['title'])
  const params = { path: { list } }
  const rejected = await api.POST('/lists/{list}/items', { params, body: { data: { title: 1 } } })
  t.is(rejected.error?.name, 'ITEM_SCHEMA_INVALID')
  t.is(rejected.error?.details?.errors?.[0]?.pointer, '/title')
  // @ts-expect-error a list needs a name or a path name
  const unnamed = await api.POST('/lists', { body: { pinned: true } })
  t.is(unnamed.error?.name, 'VALIDATION_FAILED')
  const changed = dataOf(await api.PUT('/lists/{list}', { params, body: { schema: null, pinned: true } }))
  t.like(changed, { schema: null, pinned: true })
  t.is((await api.DELETE('/lists/{list}', { params })).response.status, 204)
  t.is((await api.GET('/lists/{list}', { params })).error?.name, 'REQUESTED_ENTITY_NOT_FOUND')
})

test('an item is created, read, changed and deleted', async (t) => {
  const { api } = await account()
  await createNotes(api)
  const body = { data: { title: 'Soup' }, tags: ['warm'] }
  const answer = await api.POST('/lists/{list}/items', { params: { path: { list } }, body })
  const created = dataOf(answer)
  const path = { list, item: created.id }
  t.deepEqual(dataOf(await api.GET('/lists/{list}/items/{item}', { params: { path } })), created)

  const header = { 'if-match': answer.response.headers.get('etag') ?? '' }
  const put = () =>
    api.PUT('/lists/{list}/items/{item}', { params: { path, header }, body: { data: { title: 'Stew' } } })
  t.deepEqual(dataOf(await put()).data, { title: 'Stew' })
  t.is((await put()).error?.name, 'ITEM_PRECONDITION_FAILED')

  const query = { includeData: false }
  const deleted = dataOf(await api.DELETE('/lists/{list}/items/{item}', { params: { path, query } }))
  t.is(deleted.data, undefined)
  t.is((await api.GET('/lists/{list}/items/{item}', { params: { path } })).error?.name, 'REQUESTED_ENTITY_NOT_FOUND')
})

test("parts of an item's data are read, replaced, merged, patched and removed", async (t) => {
  const { api } = await account()
  await createNotes(api)
  const data = { title: 'Soup', steps: [{ text: 'Boil' }] }
  const { id } = dataOf(await api.POST('/lists/{list}/items', { params: { path: { list } }, body: { data } }))
  const at = (pointer: string) => ({ params: { path: { list, item: id, pointer } } })
  const part = '/lists/{list}/items/{item}/data/{pointer}'
  t.is(dataOf(await api.GET(part, at('/steps/0/text'))), 'Boil')
  dataOf(await api.PUT(part, { ...at('/steps/0/text'), body: 'Simmer' }))
  dataOf(await api.POST(part, { ...at(''), body: { minutes: 20, serves: 2 } }))
  dataOf(await api.PATCH(part, { ...at('/steps'), body: [{ op: 'add', path: '/-', value: { text: 'Eat' } }] }))
  const left = dataOf(await api.DELETE(part, at('/serves')))
  t.deepEqual(left.data, { title: 'Soup', steps: [{ text: 'Simmer' }, { text: 'Eat' }], minutes: 20 })
  const gone = await api.GET(part, at('/serves'))
  t.is(gone.error?.name, 'POINTER_NOT_FOUND')
  const failed = await api.PATCH(part, { ...at(''), body: [{ op: 'test', path: '/title', value: 'Stew' }] })
  t.is(failed.error?.name, 'ITEM_PATCH_FAILED')
})

test('pages by cursor and by number are distinguished', async (t) => {
  const { api } = await account()
  const titles = ['a', 'b', 'c', 'd', 'e']
  await createNotes(api, titles)
  const found: unknown[] = []
  for (let after: string | null = ''; after !== null; ) {
    const { data, next } = await titlesAfter(api, after)
    found.push(...data)
    after = next
  }
  t.deepEqual(found, titles)
  const page = dataOf(await api.GET('/lists', { params: { query: { tagged: ['a,b'], limit: 1 } } }))
  t.is('total' in page && page.total, 0)
})

test('a page of items is filtered and ordered by the values of indexes', async (t) => {
  const { api } = await account()
  const index = { filtering: true, sorting: true }
  const indexes = { cuisine: { pointer: '/cuisine', ...index }, minutes: { pointer: '/minutes', valueType, ...index } }
  dataOf(await api.POST('/sync-schema', { body: { lists: { [list]: { indexes } } } }))
  for (const data of [
    { cuisine: 'thai', minutes: 40 },
    { cuisine: 'thai', minutes: 15 },
    { cuisine: 'french', minutes: 10 },
  ]) {
    dataOf(await api.POST('/lists/{list}/items', { params: { path: { list } }, body: { data } }))
  }
  const query = { indexFilters: { cuisine: 'eq:thai', minutes: 'lt:40' } }
  const page = dataOf(await api.GET('/lists/{list}/items', { params: { path: { list }, query } }))
  t.is('total' in page && page.total, 1)
  const path = { list, pointer: 'minutes' }
  const ordered = { indexFilters: { cuisine: 'thai' }, order: 'minutes' }
  const values = dataOf(await api.GET('/lists/{list}/items/data/{pointer}', { params: { path, query: ordered } }))
  t.deepEqual(values.data, [15, 40])
})

test('a schema is synced, first as a dry run', async (t) => {
  const { api } = await account()
  const indexes = { title: { pointer: '/title', alias: true } }
  const body = { scope: 'kitchen', lists: { recipes: { name: 'Recipes', schema, indexes } } }
  const plan = dataOf(await api.POST('/sync-schema', { params: { query: { dryRun: true } }, body }))
  t.like(plan, { applied: false, summary: { create: 2 } })
  const { planHash } = plan
  const report = dataOf(await api.POST('/sync-schema', { params: { query: { planHash } }, body }))
  t.deepEqual(
    report.changes.map(({ resourceType, action }) => [resourceType, action]),
    [
      ['list', 'create'],
      ['index', 'create'],
    ],
  )
  const other = await api.POST('/sync-schema', { body: { ...body, scope: 'garden' } })
  if (other.error?.name !== 'SCHEMA_SYNC_SCOPE_CONFLICT') throw new Error(`${other.error?.name}`)
  t.deepEqual(
    other.error.changes.map(({ action }) => action),
    ['error', 'error'],
  )
})

test('a webhook is registered, and its delivery can be read', async (t) => {
  const { listd, receiver } = await setSceneOn(t, base(), { webhooks: 0 })
  const user = typedClient(listd, { authorization: `Bearer ${listd.credentials.session}` })
  const url = `https://127.0.0.1:${receiver.port}/hook`
  const created = dataOf(await user.POST('/webhooks', { body: { url, events: ['item.created'] } }))
  t.regex(created.secret, /^whsec_/)
  // @ts-expect-error there is no such event
  const unknown = await user.POST('/webhooks', { body: { url, events: ['item.moved'] } })
  t.is(unknown.error?.name, 'VALIDATION_FAILED')
  const params = { path: { list: 'recipes' } }
  const item = dataOf(await user.POST('/lists/{list}/items', { params, body: { data: { title: 'Soup' } } }))
  await receiver.received(1)

  const path = { webhook: created.id }
  const page = dataOf(await user.GET('/webhooks/{webhook}/deliveries', { params: { path } }))
  const [first] = page.data
  t.is(first?.itemId, item.id)
  const delivery = dataOf(
    await user.GET('/webhooks/{webhook}/deliveries/{delivery}', {
      params: { path: { ...path, delivery: first?.id ?? '' } },
    }),
  )
  t.is(delivery.payload.type, 'item.created')
  const changed = dataOf(await user.PUT('/webhooks/{webhook}', { params: { path }, body: { activated: false } }))
  t.false(changed.activated)
  t.is((await user.DELETE('/webhooks/{webhook}', { params: { path } })).response.status, 204)
})

test('an identity registers and signs in, and owns what it creates', async (t) => {
  const { api, listd } = await account()
  await createNotes(api)
  const who = { group: 'staff', name: 'ada', password: 'correct horse battery' }
  const registered = await api.POST('/identities/register', { body: { ...who, displayName: 'Ada L.' } })
  // If a busy machine did not answer in time, the call was repeated, and the first attempt may have created the identity.
  if (registered.error?.name !== 'IDENTITY_UNABLE_TO_CREATE') t.is(dataOf(registered).name, who.name)
  const { id, token } = dataOf(await api.POST('/identities/login', { body: who }))
  const headers = { 'x-identity-token': token, 'x-identity-group': 'staff' }
  const asAda = typedClient(listd, { 'x-api-token': listd.credentials.token, ...headers })
  t.is(dataOf(await asAda.GET('/identities/self')).id, id)
  const params = { path: { list } }
  const item = dataOf(await asAda.POST('/lists/{list}/items', { params, body: { data: { title: 'mine' } } }))
  t.is(item.identity?.displayName, 'Ada L.')
  // @ts-expect-error a login needs a name or an email
  const nameless = await api.POST('/identities/login', { body: { password: who.password } })
  t.is(nameless.error?.name, 'VALIDATION_FAILED')
  t.is((await asAda.POST('/identities/logout')).response.status, 204)
  t.is((await asAda.GET('/identities/self')).error?.name, 'IDENTITY_NOT_AUTHENTICATED')
})

test('events say who changed what', async (t) => {
  const { api, user } = await account()
  await createNotes(api, ['Soup'])
  const query = { stream: 'eq:item', includeSnapshot: true }
  const [event] = dataOf(await user.GET('/events', { params: { query } })).data
  t.like(event, { stream: 'item', type: 'item-created', actor: { authMode: 'token', identityId: null } })
  t.deepEqual(event?.snapshot?.data, { title: 'Soup' })
  const path = { list, item: event?.modelId ?? '', event: event?.id ?? '' }
  const again = dataOf(await api.GET('/lists/{list}/items/{item}/events/{event}', { params: { path } }))
  t.is(again.modelId, path.item)
})

async function titlesAfter(api: TypedClient, after: string): Promise<{ data: unknown[]; next: string | null }> {
  const params = { path: { list, pointer: 'title' }, query: { after, limit: 2, direction: 'asc' as const } }
  const page = dataOf(await api.GET('/lists/{list}/items/data/{pointer}', { params }))
  if ('next' in page) return page
  throw new Error('a page by number')
}
