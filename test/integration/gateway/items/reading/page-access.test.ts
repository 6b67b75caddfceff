import test from 'ava'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { listRoutes } from '#services/gateway/resources/lists/routes.ts'
import { newId } from '#shared/crypto/ids.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { knowsItem, mayDo } from '../../../../support/access/contract-rules.ts'
import { addList, modifyList } from '../../../../support/databases/contents/lists.ts'
import { errorPaths } from '../../../../support/http/answers/wire-errors.ts'
import { type Credentials, makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { makeIdentity, type TestSession } from '../../../../support/identity/identities.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let ada: TestSession
let grace: TestSession
let listId: string
/** Three items without an owner, two of Ada and one of Grace, then two deactivated ones: one without an owner and one of Ada. */
const ids: string[] = []

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...listRoutes, ...itemRoutes] })
  const { db } = gateway.deps
  account = await makeAccount(db)
  ada = await makeIdentity(db, { accountId: account.accountId, name: 'Ada', group: 'staff' })
  grace = await makeIdentity(db, { accountId: account.accountId, name: 'Grace' })
  const indexes = [{ pathName: 'secret', pointer: '/secret', guard: true }]
  listId = await addList(db, account.accountId, { indexes })
  await addList(db, account.accountId, { pathName: 'other' })
  const token = await account.token()
  for (let n = 0; n < 8; n++) {
    const owner = ownerOf(n)
    const body = { data: { n, secret: `canary-${n}` }, activated: n < 6 }
    const headers = owner ? { ...token, ...owner.headers } : account.user
    const created = await call(gateway.port, { method: 'POST', path, headers, body })
    if (created.status !== 201) throw new Error(created.text)
    ids.push(String(created.json?.id))
  }
})

const path = '/lists/recipes/items'
const ask = (request: Partial<Call>) => call(gateway.port, { path: `${path}?direction=asc`, ...request })
const shown = ({ json }: Reply) =>
  (Object(json).data as { id: string }[]).map(({ id }) => String(ids.indexOf(id))).join('')

const items = (action: PermissionRule['action'], rest: Partial<PermissionRule> = {}): PermissionRule => ({
  mode: 'allow',
  action,
  resourceType: 'item',
  ...rest,
})
const authenticate: PermissionRule = { mode: 'allow', action: 'authenticate' }
const viewLists: PermissionRule = { mode: 'allow', action: 'view', resourceType: 'list' }
const some = (...places: number[]) => ({ itemIds: [...places.map((n) => ids[n] ?? ''), newId()] })

const ownerOf = (n: number) => [null, null, null, ada, ada, grace, null, ada][n] ?? null

/** The items that exist for a token with these rules and that it may view, by the sentences of the contract. */
function seenBy(session: TestSession | null, rules: PermissionRule[], shows: (activated: boolean) => boolean): string {
  const token = { rules, identity: session?.identityId ?? null, ...(session === ada && { group: 'staff' }) }
  return ids
    .flatMap((item, n) => {
      const owner = ownerOf(n)?.identityId
      const on = { list: listId, item, activated: n < 6, ...(owner !== undefined && { owner }) }
      return shows(on.activated) && mayDo(token, ['view', 'item'], on) && knowsItem(token, on) ? [n] : []
    })
    .join('')
}

type Claim = [claim: string, who: () => TestSession | null, rules: () => PermissionRule[], shown: string]
const nobody = () => null

const flagFilters = {
  '': (activated: boolean) => activated,
  'activated=true': (activated: boolean) => activated,
  'activated=false': (activated: boolean) => !activated,
  'activated=any': () => true,
}

/** The items that a page shows to a token, by its rules and by the identity that it acts for. */
const claims: Claim[] = [
  ['all that are activated', nobody, () => [items('view')], '012345'],
  ['all but those that a rule blocks', nobody, () => [items('view'), items('view', { mode: 'block', ...some(1, 3, 6) })], '0245'],
  ['only those that rules name', nobody, () => [items('view', some(2, 5, 7))], '25'],
  ['only some of those', nobody, () => [items('view', some(2, 3, 5)), items('*', { mode: 'block', ...some(3) })], '25'],
  ['those that a later rule allows again', nobody, () => [items('view'), items('view', { mode: 'block', ...some(0, 1) }), items('view', some(0))], '02345'],
  ['only the items of its identity', () => ada, () => [items('view-with-identity')], '34'],
  ['only the items of its identity, if that is another', () => grace, () => [items('view-with-identity')], '5'],
  ['only some of its own', () => ada, () => [items('view-with-identity', some(4, 5))], '4'],
  ['all but one of its own', () => ada, () => [items('view-with-identity'), items('view-with-identity', { mode: 'block', ...some(3) })], '4'],
  ['its own, and some of all', () => ada, () => [items('view-with-identity'), items('view', some(0, 5))], '0345'],
  ['its own, including those that a rule blocks for others', () => ada, () => [items('view'), items('view', { mode: 'block', ...some(0, 3) }), items('view-with-identity')], '12345'],
  ['all, whoever their owner is', () => grace, () => [items('view')], '012345'],
  ['all, and may change all', nobody, () => [items('view'), items('update')], '012345'],
  ['all, and may change its own', () => ada, () => [items('view'), items('update-with-identity')], '012345'],
  ['all, and may change some', nobody, () => [items('view'), items('update', some(1, 6))], '012345'],
  ['all but some, and may change some', () => grace, () => [items('view'), items('view', { mode: 'block', ...some(1, 7) }), items('update'), items('update', { mode: 'block', ...some(2) })], '02345'],
  ['some, and may change all', () => ada, () => [items('view', some(0, 6)), items('update')], '0'],
  ['only its own and some, and may change all', () => ada, () => [items('view', some(0, 6)), items('view-with-identity'), items('update')], '034'],
  ['its own by a rule for its group', () => ada, () => [items('view-with-identity', { groups: ['staff'] })], '34'],
] // biome-ignore format: a table

async function acting(session: TestSession | null, rules: PermissionRule[]): Promise<Credentials> {
  return { ...(await account.token([authenticate, ...rules])), ...session?.headers }
}

for (const [claim, who, rules, expected] of claims) {
  test(`a page, its total and a walk by cursor show exactly what may be viewed: ${claim}`, async (t) => {
    const headers = await acting(who(), rules())
    for (const order of ['createdAt', 'updatedAt']) {
      const reply = await ask({ path: `${path}?direction=asc&order=${order}`, headers })
      t.is(reply.status, 200, reply.text)
      t.is(shown(reply), expected)
      t.is(Object(reply.json).total, expected.length)
      let walked = ''
      for (let after: unknown = ''; after !== null; ) {
        const part = await ask({ path: `${path}?direction=asc&order=${order}&limit=2&after=${after}`, headers })
        walked += shown(part)
        after = Object(part.json).next
      }
      t.is(walked, expected)
    }
    const filtered = await ask({ path: `${path}?direction=asc&readonly=false`, headers })
    t.is(Object(filtered.json).total, expected.length)
  })

  test(`single reads, pages, totals and counts show drafts to callers who may know them: ${claim}`, async (t) => {
    const headers = await acting(who(), [viewLists, ...rules()])
    const seen = (shows: (activated: boolean) => boolean) => seenBy(who(), [authenticate, ...rules()], shows)
    t.is(
      seen((activated) => activated),
      expected,
    )
    for (const [filter, shows] of Object.entries(flagFilters)) {
      const reply = await ask({ path: `${path}?direction=asc&${filter}`, headers })
      t.is(shown(reply), seen(shows), filter)
      t.is(Object(reply.json).total, seen(shows).length, filter)
      const byCursor = await ask({ path: `${path}?direction=asc&${filter}&order=updatedAt&after=`, headers })
      t.is(shown(byCursor), seen(shows), filter)
    }
    t.is(Object((await ask({ path: `/lists/${listId}`, headers })).json).itemCount, expected.length)
    for (const [n, id] of ids.entries()) {
      const { status, json } = await ask({ path: `${path}/${id}`, headers })
      t.is(status === 200, seen(() => true).includes(String(n)), claim)
      if (status === 200) t.is(json?.activated, n < 6)
    }
  })
}

test('a user sees activated and deactivated items, unless it requests one of them', async (t) => {
  const expected = { '': '01234567', 'activated=any': '01234567', 'activated=1': '012345', 'activated=false': '67' }
  for (const [filter, places] of Object.entries(expected)) {
    t.is(shown(await ask({ path: `${path}?direction=asc&${filter}`, headers: account.user })), places, filter)
  }
  for (const wrong of ['maybe', '']) {
    const reply = await ask({ path: `${path}?activated=${wrong}`, headers: account.user })
    t.deepEqual([reply.status, errorPaths(reply)], [400, ['activated']])
    t.regex(reply.text, /must be true, false or any/)
  }
})

test('a token with rules only for a draft that it may change may list that list', async (t) => {
  const named = some(6)
  const headers = await account.token([items('view', named), items('update', named)])
  t.like((await ask({ headers })).json, { total: 0, data: [] })
  t.is(shown(await ask({ path: `${path}?activated=any`, headers })), '6')
  t.is((await ask({ headers: await account.token([items('view', named)]) })).status, 404)
})

/** Status and error name for a token that may see nothing of the list. */
const rejections: [claim: string, rules: () => PermissionRule[], expected: string][] = [
  ['no rule about items at all', () => [viewLists], '403 TOKEN_NOT_AUTHORIZED'],
  ['items of another list only', () => [items('view', { listIds: [newId()] })], '404 REQUESTED_ENTITY_NOT_FOUND'],
  ['the same, but the list may be viewed', () => [viewLists, items('view', { listIds: [newId()] })], '403 TOKEN_NOT_AUTHORIZED'],
  ['items that are not in this list', () => [items('view', { itemIds: [newId()] })], '404 REQUESTED_ENTITY_NOT_FOUND'],
  ['the same, but the list may be viewed', () => [viewLists, items('view', { itemIds: [newId()] })], '200 undefined'],
  ['own items without an identity', () => [items('view-with-identity')], '403 TOKEN_NOT_AUTHORIZED'],
  ['items only to be changed', () => [items('update')], '403 TOKEN_NOT_AUTHORIZED'],
] // biome-ignore format: a table

for (const [n, [claim, rules, expected]] of rejections.entries()) {
  test(`a token gets ${expected} for ${claim} (${n})`, async (t) => {
    const { status, json } = await ask({ headers: await account.token(rules()) })
    t.is(`${status} ${json?.name}`, expected)
  })
}

test('guarded values are removed from pages for tokens, and shown to users and, on request, to their owner', async (t) => {
  const path = '/lists/recipes/items?direction=asc&includeData=true'
  const token = await ask({ path, headers: await account.token() })
  t.is(shown(token), '012345')
  t.false(token.text.includes('canary'))
  t.is(Object(token.json).data[0].size, '{"n":0}'.length)
  const without = await ask({ headers: await account.token() })
  t.is(Object(without.json).data[0].size, '{"n":0}'.length)
  const owner = await acting(ada, [items('view')])
  t.false((await ask({ path, headers: owner })).text.includes('canary'))
  const asked = (await ask({ path: `${path}&includeGuarded=true`, headers: owner })).text
  t.deepEqual(asked.match(/canary-\d/g), ['canary-3', 'canary-4'])
  t.is((await ask({ path, headers: account.user })).text.match(/canary/g)?.length, 8)
})

test('tokens cannot list the items of a list that is not indexable, but can read them one by one', async (t) => {
  const other = await addList(gateway.deps.db, account.accountId, { pathName: 'quiet' })
  const created = await ask({ method: 'POST', path: '/lists/quiet/items', headers: account.user, body: {} })
  const headers = await account.token()
  t.is((await ask({ path: '/lists/quiet/items', headers })).status, 200)
  await modifyList(gateway.deps.db, other, { indexable: false })
  t.is((await ask({ path: '/lists/quiet/items', headers })).json?.name, 'TOKEN_NOT_AUTHORIZED')
  t.is((await ask({ path: `/lists/quiet/items/${created.json?.id}`, headers })).status, 200)
  t.is((await ask({ path: '/lists/quiet/items', headers: account.user })).status, 200)
})

const rule = (action: PermissionRule['action'], rest: Partial<PermissionRule> = {}): PermissionRule => ({
  mode: 'allow',
  action,
  resourceType: 'list',
  ...rest,
})

/** Statuses of POST /lists, and of GET and PUT of a list, by the rules of a token. */
const rights: [claim: string, rules: () => PermissionRule[], statuses: number[]][] = [
  ['no rules', () => [], [403, 403, 403]],
  ['viewing', () => [rule('view')], [403, 200, 403]],
  ['viewing another', () => [rule('view', { listIds: [newId()] })], [403, 404, 403]],
  ['viewing and changing this one', () => [rule('view'), rule('update', { listIds: [listId] })], [403, 200, 200]],
  ['changing another', () => [rule('update', { listIds: [newId()] })], [403, 403, 404]],
  ['creating', () => [rule('create')], [201, 403, 403]],
  ['creating lists that are named, which cannot be', () => [rule('create', { listIds: [newId()] })], [403, 403, 403]],
  ['rules on items say nothing of lists', () => [items('*')], [403, 403, 403]],
]

for (const [claim, rules, statuses] of rights) {
  test(`permissions on lists: ${claim}`, async (t) => {
    const headers = await account.token(rules())
    const calls: Call[] = [
      { method: 'POST', path: '/lists', body: { pathName: `new-${newId()}` } },
      { path: `/lists/${listId}` },
      { method: 'PUT', path: `/lists/${listId}`, body: { description: 'changed' } },
    ]
    const found: number[] = []
    for (const request of calls) found.push((await ask({ ...request, headers })).status)
    t.deepEqual(found, statuses)
    t.is((await ask({ method: 'DELETE', path: `/lists/${listId}`, headers })).status >= 403, true)
  })
}
