import test from 'ava'
import { tokenRoutes } from '#services/gateway/resources/tokens/routes.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount

/** Tokens in the order of their creation; the last two have the same time. Tests identify each by its first tag. */
const tokens: Record<string, unknown>[] = [
  { name: 'Äpfel', tags: ['a', 'red'], description: 'Straße', expiresAt: '2101-01-01T00:00:00.000Z' },
  { name: 'apples', tags: ['b', 'red', 'sweet'], description: 'x'.repeat(300) },
  { name: 'Zebra', tags: ['c'], description: `${'X'.repeat(300)}Y`, activated: false },
  { name: 'STRASSE', tags: ['d', 'sweet'], expiresAt: '2100-01-01T00:00:00.000Z' },
]

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: tokenRoutes })
  const { db } = gateway.deps
  account = await makeAccount(db)
  const other = await makeAccount(db)
  const create = (body: object, { user: headers } = account) =>
    call(gateway.port, { method: 'POST', path: '/tokens', headers, body: { permissions: [], ...body } })
  for (const [n, body] of tokens.entries()) {
    const { json } = await create(body)
    // All times differ, except those of the last two tokens.
    const at = Math.min(n, 2) * 1_000
    const used = n === 1 ? 500 : null
    const values = { created_at: at, updated_at: 9_000 - at, last_used_at: used, locked: Number(n === 3) }
    await db.run(db.build('tokens').where({ id: json?.id }).update(values))
  }
  await create({ name: 'canary', tags: ['canary'] }, other)
})

const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
const shown = ({ json }: Reply) => (Object(json).data as { tags: string[] }[]).map(({ tags }) => tags[0]).join('')

/** Queries, and the tokens that each shows. */
const listings: [query: string, shown: string][] = [
  ['', 'dcba'],
  ['?direction=asc', 'abcd'],
  ['?order=updatedAt', 'abdc'],
  ['?order=name', 'bdca'],
  ['?order=name&direction=desc', 'acdb'],
  ['?order=description&direction=desc', 'cbad'],
  ['?order=description', 'dabc'],
  ['?order=expiresAt', 'adcb'],
  ['?order=expiresAt&direction=asc', 'dabc'],
  ['?order=activated', 'dbac'],
  ['?order=locked', 'dcba'],
  ['?order=lastUsedAt', 'bdca'],
  ['?order=lastUsedAt&direction=asc', 'bacd'],
  ['?name=strasse', 'd'],
  ['?name=eq:ZEBRA', 'c'],
  ['?name=starts:a', 'b'],
  ['?name=in:zebra,Apples', 'cb'],
  ['?description=STRASSE', 'a'],
  ['?description=xy', 'c'],
  ['?name=p&description=xx', 'b'],
  ['?activated=false', 'c'],
  ['?tagged=RED', 'ba'],
  ['?tagged=c,sweet', 'dcb'],
  ['?tagged=red&tagged=sweet', 'b'],
  ['?tagged=nobody', ''],
  ['?limit=2&page=2', 'ba'],
  ['?limit=2&page=9', ''],
]

for (const [query, expected] of listings) {
  test(`GET /tokens${query} shows ${expected || 'nothing'}`, async (t) => {
    const reply = await ask({ path: `/tokens${query}` })
    t.is(reply.status, 200, reply.text)
    t.is(shown(reply), expected)
    t.false(reply.text.includes('canary'))
    if (!query.includes('limit')) t.is(Object(reply.json).total, expected.length)
  })
}

for (const [query, expected] of listings.filter(([query]) => !query.includes('limit'))) {
  test(`GET /tokens${query} shows the same by cursor`, async (t) => {
    const walked: string[] = []
    for (let after: unknown = ''; after !== null; ) {
      const reply = await ask({ path: `/tokens${query === '' ? '?' : `${query}&`}limit=1&after=${after}` })
      t.deepEqual(Object.keys(Object(reply.json)), ['limit', 'next', 'data'])
      walked.push(shown(reply))
      after = Object(reply.json).next
    }
    t.is(walked.join(''), expected)
  })
}

for (const [query, path] of [
  ['?order=permissions', 'order'],
  ['?limit=101', 'limit'],
  ['?activated=perhaps', 'activated'],
  ['?locked=true', 'locked'],
  ['?after=nonsense', 'after'],
] as const) {
  test(`GET /tokens${query} is rejected`, async (t) => {
    const rejected = await ask({ path: `/tokens${query}` })
    t.is(rejected.status, 400)
    t.deepEqual(errorPaths(rejected), [path])
  })
}

test('a page is limited in bytes: by cursor it ends early, by number it is rejected', async (t) => {
  const { user: headers } = await makeAccount(gateway.deps.db)
  const ids = Array.from({ length: 1_000 }, (_, n) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`)
  const permissions = Array(23).fill({ mode: 'allow', action: 'view', listIds: ids })
  const body = { name: 'big', permissions }
  for (let n = 0; n < 10; n++) {
    t.is((await ask({ method: 'POST', path: '/tokens', headers, body })).status, 201)
  }
  const early = await ask({ path: '/tokens?after=', headers })
  t.is(Object(early.json).data.length, 9)
  t.is((await ask({ path: `/tokens?after=${early.json?.next}`, headers })).json?.next, null)
  t.deepEqual(errorPaths(await ask({ path: '/tokens', headers })), ['limit'])
})
