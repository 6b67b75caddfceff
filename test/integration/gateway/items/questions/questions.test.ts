import test from 'ava'
import { itemDataRoutes } from '#services/gateway/resources/items/data/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { addManyItems } from '../../../../support/databases/contents/many-items.ts'
import { errorPaths } from '../../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { makeIdentity } from '../../../../support/identity/identities.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let ada: Record<string, string>
const ids: string[] = []

/** Items in the order of their creation. */
const items = [
  { data: { title: 'Pancakes', serves: 4, day: '2026-03-01', secret: 'canary' } },
  { data: { title: 'pan', serves: 10, day: '2026-03-02' }, version: '1.2.0' },
  { data: { title: 'Waffles', serves: -2.5, day: '2025-01-01' }, tags: ['sweet'] },
  { data: { title: 'null', serves: 4, slug: 'zurich' }, readonly: true, tags: ['sweet', 'draft'] },
  { data: { serves: 'many', slug: 'some' }, version: '2.0.0' },
  { data: null, activated: false },
]

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...itemRoutes, ...itemDataRoutes] })
  account = await makeAccount(gateway.deps.db)
  const indexes = [
    { pathName: 'title', pointer: '/title', sorting: true, filtering: true, searching: true },
    { pathName: 'serves', pointer: '/serves', valueType: 'number', sorting: true, filtering: true },
    { pathName: 'day', pointer: '/day', valueType: 'date', filtering: true },
    { pathName: 'or', pointer: '/title', filtering: true },
    { pathName: 'slug', pointer: '/slug', alias: true, filtering: true },
    { pathName: 'plain', pointer: '/plain' },
    { pathName: 'secret', pointer: '/secret', guard: true },
  ]
  await addList(gateway.deps.db, account.accountId, { indexes })
  const identity = await makeIdentity(gateway.deps.db, { accountId: account.accountId })
  ada = { ...(await account.token([{ mode: 'allow', action: '*' }])), ...identity.headers }
  for (const [n, body] of items.entries()) {
    const { status, text, json } = await ask({ method: 'POST', body, headers: n === 2 ? ada : account.user })
    if (status !== 201) throw new Error(text)
    ids.push(String(json?.id))
  }
})

const path = '/lists/recipes/items'
const ask = (request: Partial<Call> = {}) => call(gateway.port, { path, headers: account.user, ...request })
const numbersOf = (rows: { id: string }[]) => rows.map(({ id }) => String(ids.indexOf(id))).join('')
const shown = ({ json }: Reply) => numbersOf(Object(json).data ?? [])
const where = (question: unknown) => `where=${encodeURIComponent(JSON.stringify(question))}`

/** Queries, and the items that each shows, newest first. */
const listings: [query: string, shown: string][] = [
  ['title=null', '54'],
  ['title=not:null', '3210'],
  ['title=eq:null', '3'],
  ['title=not:pan', '5432'],
  ['title=not:&size=not:&tagged=not:&alias=not:&version=not:not:&identityId=not:&search=not:&createdAt=', '543210'],
  ['title=not:eq:pan&title=not:null', '320'],
  ['serves=not:4', '5421'],
  ['serves=not:gte:4', '542'],
  ['serves=null&order=serves', '45'],
  ['serves=not:in:4,10', '542'],
  ['day=not:after:2026-01-01', '5432'],
  ['alias=null', '5210'],
  ['alias=not:zu', '54210'],
  ['alias=not:null', '43'],
  ['readonly=not:true', '54210'],
  ['activated=not:true', '5'],
  ['tagged=not:sweet', '5410'],
  ['tagged=null', '5410'],
  ['tagged=not:null&tagged=not:draft', '2'],
  ['identityId=null', '54310'],
  ['identityId=not:null', '2'],
  ['version=starts:1.', '53210'],
  ['version=not:1.', '4'],
  ['size=gt:45', '210'],
  ['size=gte:4&size=lt:5', '5'],
  ['createdAt=after:2020-01-01&createdAt=not:before:2020-01-01', '543210'],
  ['createdAt=before:2020-01-01', ''],
  ['createdAt=on:2020-01-01', ''],
  ['createdAt=lt:2020-01-01', ''],
  ['createdAt=gt:2020-01-01&createdAt=not:on:2020-01-01', '543210'],
  ['updatedAt=before:2020-01-01', ''],
  ['updatedAt=after:2020-01-01&order=updatedAt', '543210'],
  [where({ title: 'pan' }), '10'],
  [where({ title: null }), '54'],
  [where({ or: [{ title: 'eq:pan' }, { title: 'eq:waffles' }] }), '21'],
  [where({ or: [{ title: 'eq:pan' }, { serves: 4 }] }), '310'],
  [`${where({ or: [{ serves: 'gt:4' }, { serves: 'lt:0' }] })}&order=serves`, '21'],
  [where({ or: [{ title: 'waff' }, { tagged: 'draft' }] }), '32'],
  [where({ or: [{ day: '2026-03-02' }, { and: [{ serves: 'lt:5' }, { not: { tagged: 'draft' } }] }] }), '210'],
  [where({ serves: 4, not: { readonly: true } }), '0'],
  [where({ title: ['pan', 'not:eq:pan'] }), '0'],
  [where({ or: [{ 'index.or': 'eq:pan' }, { alias: 'eq:some' }] }), '41'],
  [where({ not: { not: { serves: 4 } } }), '30'],
  [where({ not: { or: [{ serves: 4 }, { serves: null }] } }), '21'],
  [where({ activated: false }), '5'],
  ['search=pan', '1'],
  ['search=PAN%20w%C3%A4ffles', '21'],
  ['search=null', '3'],
  ['search=not:waffles', '54310'],
  ['search=canary', ''],
  ['search=pan%20&prefix=true', '10'],
  ['search=waffles%20pan&prefix=true&match=any', '210'],
  ['search=waffles%20pan&prefix=true&match=all', ''],
  ['search=not:pan&prefix=1', '5432'],
  ['search=&prefix=true&match=all', '543210'],
  ['search=null%20null&match=all&prefix=0', '3'],
  [where({ search: 'pan', prefix: true }), '10'],
  [
    where({
      or: [{ search: 'waf', prefix: 'true' }, { search: 'pan waf', prefix: true, match: 'all' }, { search: 'pan' }],
    }),
    '21',
  ],
  [where({ search: ['pan', 'not:pancakes'], prefix: true }), '1'],
  [where({ not: { search: 'pan', prefix: true, match: 'all' }, title: 'not:null' }), '32'],
  ['search=pancakes%20pan&order=serves', '01'],
  ['search=pancakes%20pan&serves=4&readonly=false', '0'],
  [where({ or: [{ search: 'waffles' }, { tagged: 'draft' }] }), '32'],
  [
    where({
      or: [
        { search: 'pan', serves: 4 },
        { search: 'null', serves: 4 },
      ],
    }),
    '3',
  ],
  [where({ not: { search: ['pan waffles', 'waffles'] } }), '54310'],
  [where({ search: 'not:pan', title: 'not:null' }), '320'],
  [`${where({ or: [{ serves: 4 }, { serves: 10 }] })}&title=pan&readonly=false`, '10'],
]

for (const [query, expected] of listings) {
  test(`?${decodeURIComponent(query)} shows its items, by number and by cursor`, async (t) => {
    const numbered = await ask({ path: `${path}?${query}` })
    t.is(shown(numbered), expected, numbered.text)
    t.is(numbered.json?.total, expected.length)
    let walked = ''
    for (let after: unknown = ''; after !== null; ) {
      const part = await ask({ path: `${path}?${query}&limit=2&after=${after}` })
      t.is(part.status, 200, part.text)
      walked += shown(part)
      after = part.json?.next
    }
    t.is(walked, expected)
  })
}

test('items are found by their ids, only in this list, together with other conditions and negated', async (t) => {
  const unknown = '01890000-0000-7000-8000-000000000001'
  const some = `in:${[ids[4], ids[1], ids[1], unknown].join()}`
  t.is(shown(await ask({ path: `${path}?id=${some}` })), '41')
  t.is(shown(await ask({ path: `${path}?id=${some}&order=title&limit=1` })), '1')
  t.is(shown(await ask({ path: `${path}?id=${some}&title=pan` })), '1')
  t.is(shown(await ask({ path: `${path}?id=not:${some}` })), '5320')
  t.is(shown(await ask({ path: `${path}?${where({ or: [{ id: some }, { tagged: 'draft' }] })}` })), '431')
  t.is(shown(await ask({ path: `${path}?id=${unknown}` })), '')
})

/** Rejected queries, with the path and the message of the error. */
const rejected: [query: string, path: string, message: RegExp][] = [
  ['serves=not:many', 'serves', /must be a number/],
  ['createdAt=soon', 'createdAt', /must be a date/],
  ['createdAt=null', 'createdAt', /must be a date/],
  ['size=big', 'size', /must be a number/],
  ['readonly=null', 'readonly', /must be a boolean/],
  ['identityId=not:ada', 'identityId', /id of an identity/],
  ['id=pancakes', 'id', /id of an item/],
  [`id=in:${Array(120).fill('01890000-0000-7000-8000-000000000001')}`, 'id', /4000/],
  [where({ id: null }), 'where.id', /id of an item/],
  ['identityId=a&identityId=b', 'identityId', /is given more than once/],
  [`version=${'x'.repeat(10_001)}`, 'version', /10000/],
  ['search=ab', 'search', /at least 3 characters/],
  [`search=${'x'.repeat(10_000)}`, 'search', /at most 100 characters/],
  ['search=not:!!!', 'search', /must have a word/],
  ['search=a%20b%20c%20d%20e%20f', 'search', /at most 5 words/],
  ['search=soup&search=stew', 'search', /is given more than once/],
  ['prefix=true', 'prefix', /requires .*search/],
  ['match=all', 'match', /requires .*search/],
  [`match=any&${where({ search: 'soup' })}`, 'match', /requires .*search/],
  ['search=soup&match=some', 'match', /must be one of \[any, all\]/],
  ['search=soup&match=', 'match', /must be one of \[any, all\]/],
  ['search=soup&prefix=yes', 'prefix', /must be a boolean/],
  [where({ prefix: true }), 'where.prefix', /requires .*search/],
  [where({ or: [{ title: 'x', prefix: true }] }), 'where.or.0.prefix', /requires .*search/],
  [where({ search: 'soup', prefix: 'yes' }), 'where.prefix', /must be true or false/],
  [where({ search: 'soup', match: 'some' }), 'where.match', /must be any or all/],
  ['search=%ED%A0%80abc', 'search', /./],
  [where({ search: null }), 'where.search', /must be a string, not null/],
  [where({ or: [{ search: 2026 }] }), 'where.or.0.search', /must be a string, not number/],
  [where({ search: ['soup', 'ab'] }), 'where.search.1', /at least 3 characters/],
  [where({ serach: 'soup' }), 'where.serach', /did you mean .*search/],
  ['where=pancakes', 'where', /JSON text/],
  [`where=${'%5B'.repeat(3_000)}`, 'where', /nested deeper/],
  [`where=${'x'.repeat(10_001)}`, 'where', /10000/],
  ['where={}&where={}', 'where', /is given more than once/],
  [where({ titel: 'x' }), 'where.titel', /did you mean .*title/],
  [where({ or: [{ secre: 'x' }] }), 'where.or.0.secre', /is not known; a condition is named like/],
  [where({ tagged: 5 }), 'where.tagged', /string or null, not number/],
  [where({ title: true }), 'where.title', /string or null, not boolean/],
  [where({ serves: 'many' }), 'where.serves', /must be a number/],
  [where({ readonly: null }), 'where.readonly', /true or false/],
  [where({ mine: true }), 'where.mine', /identity headers/],
  [where({ title: '\ud800' }).replace('\ud800', ''), 'where', /JSON text/],
]

for (const [query, place, message] of rejected) {
  test(`?${query.slice(0, 60)} is rejected at ${place}`, async (t) => {
    const reply = await ask({ path: `${path}?${query}` })
    t.is(reply.status, 400, reply.text)
    t.deepEqual(errorPaths(reply), [place])
    t.regex(reply.text, message)
  })
}

test('a condition on an index that is not for filtering is rejected like its own parameter', async (t) => {
  const reply = await ask({ path: `${path}?${where({ or: [{ plain: 'x' }] })}` })
  t.like(reply.json, { name: 'INDEX_NOT_USABLE', details: { index: 'plain' } })
})

test('tokens cannot filter by size or by guarded values if a list has guard indexes', async (t) => {
  for (const query of [
    'size=gt:1',
    'size=not:gt:1',
    where({ size: 5 }),
    where({ or: [{ title: 'x' }, { not: { size: 5 } }] }),
  ]) {
    const reply = await ask({ path: `${path}?${query}`, headers: ada })
    t.is(reply.status, 400, query)
    t.regex(reply.text, /cannot be used for tokens/)
  }
  for (const query of [
    'secret=null',
    'secret=not:canary',
    where({ not: { secret: 'canary' } }),
    where({ secret: null }),
  ]) {
    for (const headers of [ada, account.user]) {
      const reply = await ask({ path: `${path}?${query}`, headers })
      t.like(reply.json, { name: 'INDEX_NOT_USABLE' }, query)
    }
  }
})

test('filters find nothing that a principal may not see', async (t) => {
  const rules: PermissionRule[] = [
    { mode: 'allow', action: 'authenticate', resourceType: 'identity' },
    { mode: 'allow', action: 'view-with-identity', resourceType: 'item' },
    { mode: 'allow', action: 'view', resourceType: 'list' },
  ]
  const own = { ...ada, ...(await account.token(rules)) }
  const questions = [
    { not: { title: 'eq:nothing' } },
    { or: [{ title: null }, { title: 'not:null' }] },
    { mine: 'true' },
    { search: 'waffles pancakes null' },
    { not: { search: 'nothing' } },
  ]
  for (const question of questions) {
    const reply = await ask({ path: `${path}?${where(question)}&activated=any`, headers: own })
    t.is(shown(reply), '2', reply.text)
    t.is(reply.json?.total, 1)
  }
})

test('a cursor is valid only for its filters', async (t) => {
  const first = await ask({ path: `${path}?${where({ or: [{ serves: 4 }, { serves: 10 }] })}&limit=1&after=` })
  const other = await ask({ path: `${path}?${where({ or: [{ serves: 4 }] })}&limit=1&after=${first.json?.next}` })
  t.is(other.status, 400)
  t.deepEqual(errorPaths(other), ['after'])
})

test('filters that no index serves are answered in parts by cursor, and rejected by page number', async (t) => {
  const { port, deps } = await startGateway(t, { routes: itemRoutes })
  const { accountId, user, token } = await makeAccount(deps.db)
  const indexes = [{ pathName: 'title', pointer: '/title', filtering: true, sorting: true }]
  const listId = await addList(deps.db, accountId, { indexes })
  const [index] = await deps.db.all<{ values_id: string }>('select values_id from indexes')
  const keyOf = (n: number) => (n <= 20 ? 'pancakes' : 'soup')
  await addManyItems(deps.db, { accountId, listId, count: 21_000, valuesId: index?.values_id ?? '', keyOf })
  const ask = (query: string, headers = user) => call(port, { path: `${path}?${query}`, headers })

  const first = await ask('title=cake&after=&limit=3')
  t.like(first.json, { data: [], examined: 20_000 })
  const second = await ask(`title=cake&after=${first.json?.next}&limit=3`)
  t.is(Object(second.json).data.length, 3)
  t.false('examined' in Object(second.json))

  const rejection = await ask('title=cake&page=1')
  t.is(rejection.status, 400)
  t.like(rejection.json, { name: 'QUESTION_TOO_BROAD', details: { examined: 20_000, parameter: 'title' } })
  t.regex(String(rejection.json?.message), /after=.*starts:/)
  t.is((await ask('title=eq:pancakes')).json?.total, 20)

  // A caller that does not see every item learns neither how many were examined, nor at which item the cursor is.
  const [hidden] = await deps.db.all<{ id: string }>('select min(id) as id from items')
  const some = await token([
    { mode: 'allow', action: '*' },
    { mode: 'block', action: 'view', resourceType: 'item', itemIds: [hidden?.id ?? ''] },
  ])
  const sealed = await ask('title=cake&after=', some)
  t.deepEqual(Object.keys(sealed.json ?? {}).sort(), ['data', 'limit', 'next'])
  t.notRegex(Buffer.from(String(sealed.json?.next), 'base64url').toString(), /[0-9a-f]{8}-[0-9a-f]{4}/)
  t.is((await ask(`title=cake&after=${sealed.json?.next}`, some)).status, 200)
  t.is((await ask(`title=cake&after=${first.json?.next}`, some)).status, 400)
})

test('filters on arrays examine their elements like items: in parts by cursor, and rejected by page number', async (t) => {
  const { port, deps } = await startGateway(t, { routes: itemRoutes })
  const { accountId, user } = await makeAccount(deps.db)
  const indexes = [{ pathName: 'labels', pointer: '/labels', filtering: true }]
  const listId = await addList(deps.db, accountId, { indexes })
  const [index] = await deps.db.all<{ values_id: string }>('select values_id from indexes')
  await deps.db.run('update indexes set arrays = 1')
  const elementsOf = (n: number) => Array.from({ length: 99 }, (_, each) => (n + each === 1 ? 'cake' : `label ${each}`))
  await addManyItems(deps.db, { accountId, listId, count: 400, valuesId: index?.values_id ?? '', elementsOf })
  const ask = (query: string) => call(port, { path: `${path}?${query}`, headers: user })
  const question = where({ or: Array.from({ length: 20 }, (_, n) => ({ labels: n === 0 ? 'cak' : `nowhere ${n}` })) })

  const first = await ask(`${question}&after=`)
  // The 99 elements of each of ten items are examined twenty times.
  t.like(first.json, { data: [], examined: 10 })
  let shown = 0
  for (let after: unknown = first.json?.next; after !== null; ) {
    const { json } = await ask(`${question}&after=${after}`)
    shown += Object(json).data.length
    after = json?.next
  }
  t.is(shown, 1)

  const rejection = await ask(`${question}&page=1`)
  t.is(rejection.status, 400)
  t.like(rejection.json, { name: 'QUESTION_TOO_BROAD', details: { examined: 20_000, parameter: 'where' } })
  t.regex(String(rejection.json?.message), /20000 items and elements of their arrays; page with after=/)
  t.is((await ask('labels=eq:cake')).json?.total, 1)
})
