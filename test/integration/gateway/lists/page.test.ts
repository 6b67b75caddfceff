import test from 'ava'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { listRoutes } from '#services/gateway/resources/lists/routes.ts'
import { newId } from '#shared/crypto/ids.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { modifyList } from '../../../support/databases/contents/lists.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
const ids: Record<string, string> = {}

/** Lists in the order of their creation; `e` is not activated, `c` has a scope. */
const lists: Record<string, unknown>[] = [
  { pathName: 'b', name: 'Äpfel', tags: ['red', 'sweet'], pinned: true },
  { pathName: 'D', name: 'apples', tags: ['red'], description: 'x' },
  { pathName: 'c', name: 'Zebra', tags: ['sweet'], realtime: true },
  { pathName: 'a', name: 'STRASSE', protected: true, indexable: false },
  { pathName: 'e', name: 'straße', activated: false, generative: true },
]

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...listRoutes, ...itemRoutes] })
  const { db } = gateway.deps
  account = await makeAccount(db)
  const other = await makeAccount(db)
  for (const [n, body] of lists.entries()) {
    const created = await call(gateway.port, { method: 'POST', path: '/lists', headers: account.user, body })
    ids[String(body.pathName)] = String(created.json?.id)
    // All times differ, except those of the last two lists.
    const at = Math.min(n, 3) * 1_000
    await modifyList(db, String(created.json?.id), { created_at: at, updated_at: 9_000 - at })
  }
  await modifyList(db, ids.c ?? '', { scope: 'Kitchen' })
  for (const path of ['a', 'a', 'b']) {
    await call(gateway.port, { method: 'POST', path: `/lists/${path}/items`, headers: account.user, body: {} })
  }
  const body = { pathName: 'canary', name: 'canary' }
  await call(gateway.port, { method: 'POST', path: '/lists', headers: other.user, body })
})

const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
const shown = ({ json }: Reply) =>
  (Object(json).data as { pathName: string }[]).map(({ pathName }) => pathName).join('')

/** Queries, and the path names of the lists that each shows. */
const listings: [query: string, shown: string][] = [
  ['', 'eacDb'],
  ['?direction=asc', 'bDcae'],
  ['?order=updatedAt', 'bDcea'],
  ['?order=name', 'Daecb'],
  ['?order=pathName', 'abcDe'],
  ['?order=pathName&direction=desc', 'eDcba'],
  ['?order=scope', 'cbDae'],
  ['?order=scope&direction=desc', 'ceaDb'],
  ['?order=pinned', 'beacD'],
  ['?order=activated&direction=asc', 'ebDca'],
  ['?order=itemCount&direction=desc', 'abecD'],
  ['?name=STRASSE', 'ea'],
  ['?name=eq:strasse', 'ea'],
  ['?name=starts:a', 'D'],
  ['?name=in:zebra,Apples', 'cD'],
  ['?pathName=eq:d', 'D'],
  ['?tagged=red', 'Db'],
  ['?tagged=RED,sweet', 'cDb'],
  ['?tagged=red&tagged=sweet', 'b'],
  ['?tagged=nobody', ''],
  ['?pinned=true', 'b'],
  ['?realtime=1', 'c'],
  ['?protected=true', 'a'],
  ['?indexable=false', 'a'],
  ['?generative=true', 'e'],
  ['?activated=false', 'e'],
  ['?readonly=true', ''],
  ['?limit=2&page=2', 'cD'],
  ['?limit=2&page=9', ''],
]

for (const [query, expected] of listings) {
  test(`GET /lists${query} shows ${expected || 'nothing'}`, async (t) => {
    const reply = await ask({ path: `/lists${query}` })
    t.is(reply.status, 200, reply.text)
    t.is(shown(reply), expected)
    t.false(reply.text.includes('canary'))
    if (!query.includes('limit')) t.is(Object(reply.json).total, expected.length)
  })
}

for (const [query, expected] of listings.filter(([query]) => !query.includes('limit'))) {
  test(`GET /lists${query} shows the same by cursor`, async (t) => {
    const walked: string[] = []
    for (let after: unknown = ''; after !== null; ) {
      const reply = await ask({ path: `/lists${query === '' ? '?' : `${query}&`}limit=2&after=${after}` })
      t.deepEqual(Object.keys(Object(reply.json)), ['limit', 'next', 'data'])
      walked.push(shown(reply))
      after = Object(reply.json).next
    }
    t.is(walked.join(''), expected)
  })
}

test('a page by number has page, limit and total, and lists as they are read individually', async (t) => {
  const { json } = await ask({ path: '/lists?limit=1' })
  const { data, ...page } = Object(json)
  t.deepEqual(page, { page: 1, limit: 1, total: 5 })
  t.deepEqual(data[0], (await ask({ path: '/lists/e' })).json)
})

for (const [query, path] of [
  ['?order=description', 'order'],
  ['?limit=101', 'limit'],
  ['?pinned=perhaps', 'pinned'],
  ['?scope=Kitchen', 'scope'],
  ['?after=nonsense', 'after'],
] as const) {
  test(`GET /lists${query} is rejected`, async (t) => {
    const { status, json } = await ask({ path: `/lists${query}` })
    t.is(status, 400)
    t.like(json, { name: 'VALIDATION_FAILED', details: { errors: [{ path }] } })
  })
}

test('a cursor of another filter or order is rejected', async (t) => {
  const next = Object((await ask({ path: '/lists?limit=1&after=' })).json).next
  for (const query of ['pinned=true', 'order=name', 'direction=asc']) {
    t.is((await ask({ path: `/lists?limit=1&after=${next}&${query}` })).status, 400, query)
  }
})

const view = (rest: Partial<PermissionRule> = {}): PermissionRule => ({
  mode: 'allow',
  action: 'view',
  resourceType: 'list',
  ...rest,
})

/** The rules of a token, and the activated lists that it sees. */
const sights: [claim: string, rules: () => PermissionRule[], shown: string | null][] = [
  ['a token that may view lists sees all that are activated', () => [view()], 'acDb'],
  ['a token that may view some lists sees those', () => [view({ listIds: [ids.a ?? '', ids.e ?? '', newId()] })], 'a'],
  [
    'a token that may not view one list sees the others',
    () => [view(), view({ mode: 'block', listIds: [ids.c ?? ''] })],
    'aDb',
  ],
  ['a token that may view only a list that does not exist sees none', () => [view({ listIds: [newId()] })], ''],
  ['a token that may never view a list gets an error', () => [view({ resourceType: 'item' })], null],
]

for (const [claim, rules, expected] of sights) {
  test(claim, async (t) => {
    const reply = await ask({ path: '/lists', headers: await account.token(rules()) })
    t.is(reply.json?.name, expected === null ? 'TOKEN_NOT_AUTHORIZED' : undefined)
    if (expected === null) return
    t.is(shown(reply), expected)
    t.is(Object(reply.json).total, expected.length)
  })
}

test('itemCount counts the items that a token may view, and no others', async (t) => {
  const owner = await makeAccount(gateway.deps.db)
  const mine = (request: Call) => call(gateway.port, { headers: owner.user, ...request })
  const { id } = Object((await mine({ method: 'POST', path: '/lists', body: { pathName: 'counted' } })).json)
  const created = async (body: object) =>
    String((await mine({ method: 'POST', path: `/lists/${id}/items`, body })).json?.id)
  const [first] = [await created({}), await created({}), await created({ activated: false })]
  const countFor = async (rules: PermissionRule[]) => {
    const headers = await owner.token([view(), ...rules])
    const page = await mine({ path: '/lists?name=counted', headers })
    const single = await mine({ path: `/lists/${id}`, headers })
    t.is(Object(page.json).data[0].itemCount, Object(single.json).itemCount)
    return Object(single.json).itemCount
  }
  const items = (rest: Partial<PermissionRule> = {}) => view({ resourceType: 'item', ...rest })
  t.is(Object((await mine({ path: `/lists/${id}` })).json).itemCount, 3)
  t.is(await countFor([items()]), 2)
  t.is(await countFor([items({ itemIds: [first ?? ''] })]), 1)
  t.is(await countFor([items(), items({ mode: 'block', itemIds: [first ?? '', newId()] })]), 1)
  t.is(await countFor([items({ listIds: [newId()] })]), 0)
  t.is(await countFor([]), 0)
  const byCount = await mine({ path: '/lists?order=itemCount', headers: await owner.token() })
  t.like(byCount.json, { name: 'VALIDATION_FAILED', details: { errors: [{ path: 'order' }] } })
})

test('the cursors of a token are sealed, because a page may end at a hidden list; those of a user are plain', async (t) => {
  const ofToken = await account.token([view()])
  const next = async (headers: Record<string, string>) =>
    String(Object((await ask({ path: '/lists?limit=1&after=', headers })).json).next)
  const text = (cursor: string) => Buffer.from(cursor, 'base64url').toString()
  const [sealed, plain] = [await next(ofToken), await next(account.user)]
  t.notRegex(text(sealed), /[0-9a-f]{8}-[0-9a-f]{4}/)
  t.regex(text(plain), /[0-9a-f]{8}-[0-9a-f]{4}/)
  const status = async (after: string, headers: Record<string, string>) =>
    (await ask({ path: `/lists?limit=1&after=${after}`, headers })).status
  t.deepEqual(
    [await status(sealed, ofToken), await status(plain, ofToken), await status(sealed, account.user)],
    [200, 400, 400],
  )
})
