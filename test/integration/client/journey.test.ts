import test from 'ava'
import type { IdentityStore } from '#client/src/calls/identities.ts'
import type { ItemsWhere } from '#client/src/calls/items.ts'
import { type Client, createClient } from '#client/src/client.ts'
import { ListdError } from '#client/src/error.ts'
import { contains, gt, gte, inList, lt, lte, starts } from '#client/src/filters.ts'
import { RawNumber } from '#client/src/json.ts'
import { type Manager, manage } from '#client/src/manage.ts'
import { runClientReadme } from '../../support/guides/client-readme.ts'
import { describedFetch } from '../../support/http/answers/described-fetch.ts'
import { makeAccount } from '../../support/http/callers.ts'
import { startSigningIn } from '../../support/identity/signing-in.ts'
import { afterAll } from '../../support/test-context/shared.ts'

type Recipe = { slug: string; title: string; serves?: number; steps?: { text: string }[] }
type Lists = {
  recipes: { data: Recipe; index: { slug: 'alias' | 'string'; serves: 'number' }; order: 'serves' }
  notes: { data: unknown; index: Record<never, never>; order: never }
}

const cleanup = afterAll()
let url: string
let gateway: Awaited<ReturnType<typeof startSigningIn>>['gateway']
test.before(async () => {
  ;({ gateway } = await startSigningIn(cleanup))
  url = `http://127.0.0.1:${gateway.port}`
})

const schema = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } }
const document = {
  scope: 'kitchen',
  lists: {
    recipes: {
      name: 'Recipes',
      schema,
      indexes: {
        slug: { pointer: '/slug', alias: true, filtering: true },
        serves: { pointer: '/serves', valueType: 'number' as const, filtering: true, sorting: true },
      },
    },
  },
}

/** Clients of a new account with the list "recipes": one with a token that allows everything, and one as its user. */
async function account(): Promise<{ client: Client<Lists>; user: Manager<Client<Lists>> }> {
  const { user, token } = await makeAccount(gateway.deps.db)
  const { 'x-api-token': apiToken } = await token([
    { mode: 'allow', action: '*' },
    { mode: 'allow', action: 'reset-password' },
  ])
  const options = { url, fetch: describedFetch, timeoutMs: 120_000 }
  const client = createClient<Lists>({ ...options, token: apiToken })
  await client.sync.apply(document)
  const session = user.authorization?.slice('Bearer '.length)
  return { client, user: manage(createClient<Lists>({ ...options, session })) }
}

const soup = { slug: 'soup', title: 'Soup', serves: 4 }

test('a schema is planned, synced, and rejected with its report', async (t) => {
  const { client } = await account()
  const plan = await client.sync.plan(document)
  t.like(plan, { dryRun: true, applied: false, summary: { noChange: 3 } })
  const another = client.sync.apply({ ...document, scope: 'garden' })
  const error = await t.throwsAsync(another, { name: 'SCHEMA_SYNC_SCOPE_CONFLICT' })
  t.like(error, { status: 422, body: { applied: false, changes: { length: 3 } } })
  const { document: exported } = await client.sync.export({ lists: ['recipes', 'gone'] })
  t.like(await client.sync.plan(exported), { summary: { noChange: 3 } })
  t.like(await client.sync.move({ fromScope: 'kitchen', scope: null }), { applied: true, summary: { release: 3 } })
  t.is((await client.sync.format()).$schema, 'http://json-schema.org/draft-07/schema#')
})

test('an item is created, read, changed and deleted, each time only as it was read', async (t) => {
  const { client } = await account()
  const recipes = client.list('recipes')
  const created = await recipes.create({ data: soup, tags: ['warm'] })
  t.deepEqual((await recipes.get('soup')).data, soup)
  const updated = await recipes.update(created, { data: { ...soup, title: 'Stew' } })
  t.is(updated.version, '1.0.1')
  await t.throwsAsync(recipes.delete({ ...created }), { name: 'ITEM_PRECONDITION_FAILED' })
  t.is((await recipes.get('soup', { version: '1.0.0' })).data.title, 'Soup')
  t.is((await recipes.delete(updated)).id, created.id)
  await t.throwsAsync(recipes.get('soup'), { name: 'REQUESTED_ENTITY_NOT_FOUND' })
  // @ts-expect-error a title is a text
  await t.throwsAsync(recipes.create({ data: { slug: 'x', title: 1 } }), { name: 'ITEM_SCHEMA_INVALID' })
})

test('two users change one item: the second gets an error, with any copy of the item', async (t) => {
  const { client } = await account()
  const recipes = client.list('recipes')
  await recipes.create({ data: soup })
  const row = await recipes.items({ includeData: false }).first()
  if (!row) return t.fail('there is no item')
  const form = structuredClone({ ...row })
  await recipes.merge(row, { serves: 5 })
  await recipes.merge(row, { serves: 6 })
  const stale = await t.throwsAsync(recipes.merge(form, { title: 'Stew' }), { name: 'ITEM_PRECONDITION_FAILED' })
  t.regex(stale?.message ?? '', /read it again/i)
  const { results } = await recipes.batch([{ op: 'update', item: row.id, data: soup }])
  await t.throwsAsync(recipes.merge(row, { serves: 7 }), { name: 'ITEM_PRECONDITION_FAILED' })
  const deleted = await recipes.delete(results[0]?.item ?? '')
  const created = await recipes.events(deleted, { where: { type: 'item-created' } }).first()
  t.deepEqual((await recipes.restore(deleted, created?.id ?? '')).data, soup)
})

test("the item examples of the client's README run as written", async (t) => {
  const { client } = await account()
  await client.list('recipes').indexes.create({ pointer: '/title', filtering: true, pathName: 'title' })
  const printed = await runClientReadme({ createClient: () => client, gte, ListdError, starts })
  t.deepEqual(printed, ['Soup', 'saved'])
})

test("parts of an item's data are read, set, merged, patched and removed", async (t) => {
  const { client } = await account()
  const recipes = client.list('recipes')
  const item = await recipes.create({ data: { ...soup, steps: [{ text: 'Boil' }] } })
  t.is(await recipes.value(item, '/steps/0/text'), 'Boil')
  const simmered = await recipes.set(item, ['steps', 0, 'text'], 'Simmer')
  const merged = await recipes.merge(simmered, { serves: 6 })
  const patched = await recipes.patch(merged, [{ op: 'add', path: '/-', value: { text: 'Eat' } }], {
    pointer: '/steps',
  })
  const left = await recipes.remove(patched, '/serves')
  t.deepEqual(left.data, { slug: 'soup', title: 'Soup', steps: [{ text: 'Simmer' }, { text: 'Eat' }] })
  const nulled = await recipes.merge(left, { steps: null }, { merge: 'rfc7396', dryRun: true })
  t.deepEqual(nulled.data, { slug: 'soup', title: 'Soup' })
  await t.throwsAsync(recipes.value('soup', '/serves'), { name: 'POINTER_NOT_FOUND' })
})

test('a batch is executed as a whole, once for each key, and items are restored', async (t) => {
  const { client } = await account()
  const recipes = client.list('recipes')
  const { results } = await recipes.batch([
    { op: 'create', data: soup },
    { op: 'create', data: { slug: 'stew', title: 'Stew' } },
  ])
  t.deepEqual(
    results.map(({ status, item }) => [status, item.data.title]),
    [
      [201, 'Soup'],
      [201, 'Stew'],
    ],
  )
  const once = { idempotencyKey: 'one' }
  const first = await recipes.create({ data: { slug: 'tea', title: 'Tea' } }, once)
  t.deepEqual(await recipes.create({ data: { slug: 'tea', title: 'Tea' } }, once), first)

  const deleted = await recipes.delete('soup')
  const types: string[] = []
  for await (const event of recipes.events(deleted, { direction: 'asc' })) types.push(event.type)
  t.deepEqual(types, ['item-created', 'item-deleted'])
  const [created] = (await recipes.events(deleted, { where: { type: 'item-created' } }).after()).data
  t.like(await recipes.event(deleted, created?.id ?? ''), { type: 'item-created', snapshot: { data: soup } })
  const restored = await recipes.restore(deleted.id, created?.id ?? '')
  t.deepEqual(restored.data, soup)
})

test('pages: all items by cursor, one page by number, values and totals', async (t) => {
  const { client } = await account()
  const recipes = client.list('recipes')
  const slugs = ['a', 'b', 'c', 'd', 'e']
  await recipes.batch(slugs.map((slug) => ({ op: 'create', data: { slug, title: slug }, tags: [slug] })))
  const all = recipes.items({ direction: 'asc', limit: 2 })
  const found: string[] = []
  for await (const item of all) found.push(item.data.slug)
  t.deepEqual(found, slugs)
  t.like(await all.page(2), { page: 2, total: 5, data: { length: 2 } })
  t.deepEqual(await all.total(), { total: 5, isAtLeast: false })
  const values: unknown[] = []
  for await (const value of recipes.values<string>('/title', { direction: 'asc' })) values.push(value)
  t.deepEqual(values, slugs)
  const some = recipes.items({ where: { tagged: ['a,b,c', 'b,c'], alias: 'b' }, includeData: false })
  const [only, ...others] = (await some.after()).data
  t.false(only && 'data' in only)
  t.is(others.length, 0)
  // @ts-expect-error there is no such index
  await t.throwsAsync(recipes.items({ where: { nothing: 1 }, order: 'createdAt' }).page(0))
})

test('items are filtered and ordered by the values of indexes', async (t) => {
  const { client } = await account()
  const recipes = client.list('recipes')
  const titles = { soup: 4, stew: 6, tea: 1 }
  const data = Object.entries(titles).map(([slug, serves]) => ({ slug, title: slug, serves }))
  await recipes.batch(data.map((one) => ({ op: 'create', data: one })))
  const slugs = async (where: ItemsWhere<Lists['recipes']>) => {
    const found: string[] = []
    for await (const { data } of recipes.items({ where, order: 'serves', direction: 'desc' })) found.push(data.slug)
    return found
  }
  t.deepEqual(await slugs({}), ['stew', 'soup', 'tea'])
  t.deepEqual(await slugs({ serves: gte(4) }), ['stew', 'soup'])
  t.deepEqual(await slugs({ serves: [gt(1), lt(6)] }), ['soup'])
  t.deepEqual(await slugs({ serves: 1 }), ['tea'])
  t.deepEqual(await slugs({ slug: starts('S') }), ['stew', 'soup'])
  t.deepEqual(await slugs({ slug: inList(['tea', 'stew']), serves: lte(1) }), ['tea'])
  t.deepEqual(await slugs({ slug: 'TEA' }), ['tea'])
  t.deepEqual(await slugs({ slug: contains('e') }), ['stew', 'tea'])
})

test('numbers that a double cannot hold come back unchanged', async (t) => {
  const { client } = await account()
  const recipes = client.list('recipes')
  const text = '9007199254740993'
  const serves = new RawNumber(text) as never
  await recipes.create({ data: { ...soup, serves } })
  const item = await recipes.get('soup')
  t.is(String(item.data.serves), text)
  const updated = await recipes.update(item, { data: { ...item.data, title: 'Stew' } })
  t.is(String(updated.data.serves), text)
  t.true((await client.list('recipes').get('soup').text()).includes(`"serves":${text}`))
})

test('lists and indexes are managed', async (t) => {
  const { client } = await account()
  const list = await client.lists.create({ name: 'Notes', pathName: 'notes' })
  t.is((await client.lists.update('notes', { pinned: true })).pinned, true)
  const names: string[] = []
  for await (const one of client.lists.all({ where: { pinned: true } })) names.push(one.pathName)
  t.deepEqual(names, ['notes'])
  const { indexes } = client.list('notes')
  const trial = await indexes.try({ name: 'Title', pointer: '/title' })
  t.is(trial.items, 0)
  t.is((await indexes.create({ name: 'Title', pointer: '/title' })).buildStatus, 'ready')
  await indexes.update('title', { filtering: true })
  t.deepEqual((await indexes.all({ where: { name: 'title', valueType: 'string' } }).page(1)).total, 1)
  await indexes.delete('title')
  await client.lists.delete('notes')
  await t.throwsAsync(client.lists.get(list.id), { name: 'REQUESTED_ENTITY_NOT_FOUND' })
})

test('an identity registers, signs in, owns what it creates, and signs out', async (t) => {
  const { client } = await account()
  let kept: string | null = null
  const identityStore: IdentityStore = {
    load: () => kept,
    save: (text) => {
      kept = text
    },
  }
  const shop = client.with({ identityStore })
  const who = { group: 'staff', name: 'ada', password: 'correct horse battery' }
  await shop.identities.register({ ...who, displayName: 'Ada L.' })
  const ada = await shop.identities.login(who)
  t.is((await ada.self.get()).id, ada.login.id)
  const mine = await ada.list('recipes').create({ data: soup })
  t.is(mine.identity?.displayName, 'Ada L.')
  t.is((await client.list('recipes').create({ data: { ...soup, slug: 'x' } })).identity, null)

  const resumed = await shop.identities.resume()
  t.is((await resumed?.self.get())?.name, 'ada')
  t.deepEqual(await ada.self.sessions().total(), { total: 1, isAtLeast: false })
  await ada.self.logout()
  t.is(kept, null)
  t.is(await shop.identities.resume(), null)
  await t.throwsAsync(ada.self.get(), { name: 'IDENTITY_NOT_AUTHENTICATED' })
  await t.throwsAsync(shop.identities.login({ ...who, password: 'wrong' }), { name: 'IDENTITY_NOT_AUTHENTICATED' })

  const { resetToken } = await client.identities.requestPasswordReset({ group: 'staff', name: 'ada' })
  await client.identities.resetPassword({ resetToken: resetToken ?? '', password: 'another horse battery' })
  const again = await shop.identities.login({ ...who, password: 'another horse battery' })
  t.is(again.login.id, ada.login.id)
  t.is((await client.identities.get('staff/ada')).id, ada.login.id)
  await again.self.delete()
  t.is(await shop.identities.resume(), null)
})

test('a user manages tokens, groups and webhooks, and reads the events', async (t) => {
  const { client, user } = await account()
  await t.throwsAsync(manage(client).tokens.all().page(1), { name: 'USER_MODE_REQUIRED' })
  const token = await user.tokens.create({ name: 'shop', permissions: [{ mode: 'allow', action: 'view' }] })
  const shop = client.with({ token: token.value })
  t.is((await shop.ownToken()).token.id, token.id)
  await t.throwsAsync(shop.list('recipes').create({ data: soup }), { name: 'TOKEN_NOT_AUTHORIZED' })
  const tried = { permissions: token.permissions, tokenId: token.id }
  t.is(
    (await user.tokens.countVisible('recipes', tried)).count,
    (await user.client.list('recipes').items().total()).total,
  )
  const rotated = await user.tokens.rotate(token.id)
  await t.throwsAsync(shop.ownToken(), { name: 'USER_NOT_AUTHENTICATED' })
  t.is((await shop.with({ token: rotated.value }).ownToken()).token.name, 'shop')
  await user.tokens.delete(token.id)

  const group = await user.groups.create({ name: 'staff', requireEmail: true })
  t.is((await user.groups.update('staff', { minPasswordLength: 12 })).id, group.id)
  t.is((await user.groups.all({ where: { name: 'staff' } }).total()).total, 1)
  await user.groups.delete('staff')

  const rejected = user.webhooks.create({ url: 'http://listd.test/hook', events: ['item.created'] })
  t.like(await t.throwsAsync(rejected), { name: 'WEBHOOK_URL_REFUSED', details: { reason: 'not-https' } })
  t.deepEqual(await user.webhooks.all({ where: { activated: true } }).total(), { total: 0, isAtLeast: false })
  const types: string[] = []
  for await (const { type } of user.events({ where: { stream: 'token' }, direction: 'asc' })) types.push(type)
  t.deepEqual(types, ['token-created', 'token-rotated', 'token-deleted'])
  t.is((await user.auth.get()).user.displayName, null)
})
