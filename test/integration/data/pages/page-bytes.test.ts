import test from 'ava'
import { eventRoutes } from '#services/gateway/resources/events/routes.ts'
import { indexRoutes } from '#services/gateway/resources/indexes/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { listRoutes } from '#services/gateway/resources/lists/routes.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
const pageBytes = 8 * 1024 * 1024
const long = 'x'.repeat(1_000_000)
let gateway: TestGateway
let account: TestAccount

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...eventRoutes, ...indexRoutes, ...itemRoutes, ...listRoutes] })
  account = await makeAccount(gateway.deps.db)
  await post('/lists', { pathName: 'recipes' })
  for (let n = 0; n < 12; n++) await post('/lists/recipes/items', { data: n % 4 === 0 ? 'short' : long })
})

const get = (path: string) => call(gateway.port, { path, headers: account.user })

async function post(path: string, body: unknown, { user: headers } = account): Promise<void> {
  const { status, text } = await call(gateway.port, { method: 'POST', path, headers, body })
  if (status !== 201) throw new Error(text)
}

/** Follows the cursors of a listing. @returns the rows of each page */
async function readPages(path: string): Promise<Record<string, unknown>[][]> {
  const pages: Record<string, unknown>[][] = []
  for (let after: string | null = ''; after !== null; ) {
    const { text, json } = await get(`${path}&after=${after}`)
    if (text.length > pageBytes + 100_000) throw new Error(`a page of ${text.length} bytes`)
    const { data, next } = Object(json)
    pages.push(data)
    after = next
  }
  return pages
}

const textOf = (row: Record<string, unknown> = {}) => Object(row.snapshot ?? row).data

for (const path of ['/lists/recipes/items?includeData=true', '/events?stream=item&includeSnapshot=true']) {
  test(`pages of ${path} are limited in bytes: those by cursor end early and leave nothing out`, async (t) => {
    const pages = await readPages(`${path}&limit=100`)
    const rows = pages.flat()
    t.deepEqual(pages.map(({ length }) => length), [10, 2]) // biome-ignore format: one line
    t.is(new Set(rows.map(({ id }) => id)).size, 12)
    t.deepEqual(rows.map(textOf).toReversed(), Array.from(rows, (_, n) => (n % 4 === 0 ? 'short' : long))) // biome-ignore format: one line
  })

  test(`pages of ${path} by number are rejected if they would be too large`, async (t) => {
    const answer = await get(`${path}&limit=100`)
    t.is(answer.status, 400)
    t.deepEqual(errorPaths(answer), ['limit'])
    const fitting = await get(`${path}&limit=5&page=2`)
    t.is(fitting.status, 200)
    t.is((Object(fitting.json).data as object[]).length, 5)
  })
}

test('pages without data are not limited by the size of the data', async (t) => {
  for (const path of ['/lists/recipes/items?limit=100', '/events?stream=item&limit=100']) {
    t.is((Object((await get(path)).json).data as object[]).length, 12)
  }
})

test('pages of lists are limited by the size of their schemas', async (t) => {
  const schema = { description: 'x'.repeat(250_000) }
  for (let n = 0; n < 36; n++) await post('/lists', { pathName: `list-${n}`, schema })
  const pages = await readPages('/lists?limit=100')
  t.is(pages.length, 2)
  t.is(new Set(pages.flat().map(({ id }) => id)).size, 37)
  t.deepEqual(errorPaths(await get('/lists?limit=100')), ['limit'])
})

test('pages of a token are limited by the visible data of items and events, and show all of it', async (t) => {
  const other = await makeAccount(gateway.deps.db)
  await post('/lists', { pathName: 'safe' }, other)
  await post('/lists/safe/indexes', { name: 'secret', pointer: '/secret', guard: true }, other)
  for (let n = 0; n < 12; n++) await post('/lists/safe/items', { data: { n, secret: long } }, other)
  const headers = await other.token()
  const ask = (path: string) => call(gateway.port, { path, headers })
  const [item] = Object((await ask('/lists/safe/items?limit=1')).json).data
  for (let n = 0; n < 9; n++) {
    const body = { tags: [`t${n}`] }
    await call(gateway.port, { method: 'PUT', path: `/lists/safe/items/${item.id}`, headers: other.user, body })
  }
  const events = `/lists/safe/items/${item.id}/events?includeSnapshot=true`
  for (const path of ['/lists/safe/items?includeData=true', '/lists/safe/items?order=updatedAt', events]) {
    for (const position of ['page=1', 'after=']) {
      const { status, text, json } = await ask(`${path}&limit=100&${position}`)
      t.is(status, 200, text.slice(0, 500))
      const rows = Object(json).data as Record<string, unknown>[]
      t.is(rows.length, path === events ? 10 : 12)
      t.true(rows.every((row) => Object(row.snapshot ?? row).size < 10))
    }
  }
})
