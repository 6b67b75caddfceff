import test from 'ava'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { errorPaths } from '../../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { type Call, call } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let itemId: string
const maxBytes = 2_000

test.before(async () => {
  const env = { LISTD_ITEMS_MAX_BYTES: String(maxBytes) }
  gateway = await startGateway(cleanup, { routes: itemRoutes, env })
  account = await makeAccount(gateway.deps.db)
  const guarded = { pathName: 'pin', pointer: '/pin', guard: true }
  await addList(gateway.deps.db, account.accountId, {
    indexes: [{ pathName: 'slug', pointer: '/slug', alias: true }, guarded],
  })
  const created = await call(gateway.port, {
    method: 'POST',
    path: items,
    headers: account.user,
    body: { data: { pin: 1 } },
  })
  itemId = String(created.json?.id)
})

const items = '/lists/recipes/items'
const post = (body: unknown, headers = {}): Call => ({ method: 'POST', path: items, body, headers })
const put = (body: unknown): Call => ({ method: 'PUT', path: `${items}/${itemId}`, body })
const json = { 'content-type': 'application/json' }
/** Compact data of this number of bytes. */
const dataOf = (bytes: number) => `"${'é'.repeat((bytes - 2) / 2)}"`

type Rejection = { request: () => Call; status: number; name: string; paths?: string[]; lacks?: string }

const rejections: Record<string, Rejection> = {
  'unknown properties': {
    request: () => post({ data: 1, id: 'x', accountId: 'y', locked: true, size: 1 }),
    status: 400,
    name: 'VALIDATION_FAILED',
    paths: ['accountId', 'id', 'locked', 'size'],
  },
  'wrong types, all at once': {
    request: () => post({ description: 5, tags: ['ok', 'not ok', 7], version: '1.0', readonly: 'true', activated: 1 }),
    status: 400,
    name: 'VALIDATION_FAILED',
    paths: ['activated', 'description', 'readonly', 'tags.1', 'tags.2', 'version'],
  },
  'too many tags and too long a description': {
    request: () => post({ tags: Array.from({ length: 21 }, (_, n) => `t${n}`), description: '🥣'.repeat(10_001) }),
    status: 400,
    name: 'VALIDATION_FAILED',
    paths: ['description', 'tags'],
  },
  'U+0000 in text for people': {
    request: () => post({ description: 'a\u0000b' }),
    status: 400,
    name: 'VALIDATION_FAILED',
    paths: ['description'],
  },
  'no body': { request: () => post(undefined), status: 400, name: 'VALIDATION_FAILED', paths: ['body'] },
  'a body that is not an object': {
    request: () => post('[]', json),
    status: 400,
    name: 'VALIDATION_FAILED',
    paths: [''],
  },
  'an empty update': { request: () => put({}), status: 400, name: 'VALIDATION_FAILED', paths: [''] },
  'an update of properties that cannot be set': {
    request: () => put({ revision: 9, identity: null }),
    status: 400,
    name: 'VALIDATION_FAILED',
    paths: ['identity', 'revision'],
  },
  'a repeated key in the data': {
    request: () => post('{"data":{"a":1,"\\u0061":2}}', json),
    status: 400,
    name: 'MALFORMED_JSON',
  },
  'half of a surrogate pair': { request: () => post('{"data":"\\ud800"}', json), status: 400, name: 'MALFORMED_JSON' },
  'data of more bytes than allowed': {
    request: () => post(`{"data":${dataOf(maxBytes + 2)}}`, json),
    status: 413,
    name: 'PAYLOAD_TOO_LARGE',
  },
  'an alias of 1,025 characters': {
    request: () => post({ data: { slug: 'x'.repeat(1_025) } }),
    status: 400,
    name: 'VALIDATION_FAILED',
    paths: ['data.slug'],
  },
  'an alias with U+0000': {
    request: () => post({ data: { slug: 'a\u0000' } }),
    status: 400,
    name: 'VALIDATION_FAILED',
    paths: ['data.slug'],
  },
  'a query of the wrong type': {
    request: () => ({ path: `${items}/${itemId}?includeData=perhaps` }),
    status: 400,
    name: 'VALIDATION_FAILED',
    paths: ['includeData'],
  },
  'an impossible name of a list': {
    request: () => ({ method: 'POST', path: '/lists/no%20list%00/items', body: {} }),
    status: 404,
    name: 'REQUESTED_ENTITY_NOT_FOUND',
  },
  'the name of an item that does not exist': {
    request: () => ({ path: `${items}/%00%F0%9F%A5%A3` }),
    status: 404,
    name: 'REQUESTED_ENTITY_NOT_FOUND',
  },
}

for (const [claim, { request, status, name, paths }] of Object.entries(rejections)) {
  test.serial(`${claim}: ${name}, nothing written`, async (t) => {
    const { db } = gateway.deps
    const state = () => Promise.all([db.all('select * from items'), db.get('select count(*) as n from events')])
    const before = await state()
    const asked = request()
    const reply = await call(gateway.port, { ...asked, headers: { ...account.user, ...asked.headers } })
    t.like(reply, { status, json: { name } })
    t.is(reply.json?.requestId, reply.headers['x-request-id'])
    if (paths) t.deepEqual(errorPaths(reply), paths)
    t.deepEqual(await state(), before)
  })
}

test.serial('data of exactly the allowed bytes is stored, and white space around it does not count', async (t) => {
  const headers = { ...account.user, ...json }
  const body = `{"data":${' '.repeat(1_000)}${dataOf(maxBytes)}}`
  const created = await call(gateway.port, { method: 'POST', path: items, headers, body })
  t.like(created, { status: 201, json: { size: maxBytes } })
})

test.serial("hidden data does not count toward the size of a token's write, but everything sent does", async (t) => {
  const user = { ...account.user, ...json }
  const token = { ...(await account.token()), ...json }
  const created = await call(gateway.port, post(`{"data":{"pin":${dataOf(1_000)}}}`, user))
  const replace = (headers: Record<string, string>, members: string) =>
    call(gateway.port, {
      method: 'PUT',
      path: `${items}/${created.json?.id}`,
      headers,
      body: `{"data":{${members}}}`,
    })
  const title = `"title":${dataOf(1_500)}`
  const pin = `"pin":${dataOf(1_000)}`
  t.is((await replace(token, title)).status, 200)
  t.is((await replace(token, `${title},${pin}`)).status, 413)
  t.is((await replace(user, `${title},${pin}`)).status, 413)
})
