import test from 'ava'
import { indexRoutes } from '#services/gateway/resources/indexes/routes.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let listId: string
let otherListId: string
const ids: Record<string, string> = {}
const path = '/lists/recipes/indexes'

/** Indexes in the order of their creation; `e` is not activated. */
const indexes: Record<string, unknown>[] = [
  { pathName: 'b', name: 'Äpfel', pointer: '/b', tags: ['red', 'sweet'], sorting: true },
  { pathName: 'd', name: 'apples', pointer: '/a', tags: ['red'], valueType: 'number' },
  { pathName: 'c', name: 'Zebra', pointer: '/c', tags: ['sweet'], alias: true, defaultOrderDirection: 'desc' },
  { pathName: 'a', name: 'STRASSE', pointer: '/g', guard: true },
  { pathName: 'e', name: 'straße', pointer: '/e', activated: false, valueType: 'date' },
]

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: indexRoutes })
  const { db } = gateway.deps
  account = await makeAccount(db)
  listId = await addList(db, account.accountId)
  otherListId = await addList(db, account.accountId, { pathName: 'other' })
  await addList(db, account.accountId, { pathName: 'hidden', activated: false })
  for (const [n, body] of indexes.entries()) {
    const created = await call(gateway.port, { method: 'POST', path, headers: account.user, body })
    ids[String(body.pathName)] = String(created.json?.id)
    await db.run('update indexes set created_at = ?, updated_at = ? where id = ?', [n, 9_000 - n, created.json?.id])
  }
})

const ask = (request: Partial<Call>) => call(gateway.port, { path, headers: account.user, ...request })
const shown = ({ json }: Reply) =>
  (Object(json).data as { pathName: string }[]).map(({ pathName }) => pathName).join('')

/** Queries, and the path names of the indexes that each shows. */
const listings: [query: string, shown: string][] = [
  ['', 'eacdb'],
  ['?direction=asc', 'bdcae'],
  ['?order=updatedAt', 'bdcae'],
  ['?order=name', 'daecb'],
  ['?order=pathName', 'abcde'],
  ['?order=pathName&direction=desc', 'edcba'],
  ['?order=pointer', 'dbcea'],
  ['?order=guard', 'aecdb'],
  ['?order=valueType&direction=desc', 'acbde'],
  ['?name=apple', 'd'],
  ['?name=eq:strasse', 'ea'],
  ['?pathName=in:a,b', 'ab'],
  ['?valueType=eq:number', 'd'],
  ['?alias=true', 'c'],
  ['?guard=true', 'a'],
  ['?activated=false', 'e'],
  ['?defaultOrderDirection=desc', 'c'],
  ['?tagged=red,sweet', 'cdb'],
  ['?tagged=red&tagged=sweet', 'b'],
  ['?page=2&limit=2', 'cd'],
]
for (const [query, expected] of listings) {
  test(`the page ${query} shows ${expected}`, async (t) => {
    const reply = await ask({ path: path + query })
    t.is(shown(reply), expected)
  })
}

test('pages by cursor show every index once, and a cursor is valid for one list and one query', async (t) => {
  let [seen, cursor] = ['', '']
  do {
    const reply = await ask({ path: `${path}?order=name&limit=2&after=${cursor}` })
    seen += shown(reply)
    cursor = (Object(reply.json).next as string | null) ?? ''
    if (seen.length === 2) {
      for (const other of [
        `${path}?order=pathName`,
        '/lists/other/indexes?order=name',
        `${path}?order=name&alias=true`,
      ]) {
        t.is((await ask({ path: `${other}&after=${cursor}` })).status, 400)
      }
    }
  } while (cursor !== '')
  t.is(seen, 'daecb')
})

test('an unknown order, and a bad or unknown filter, is 400', async (t) => {
  for (const query of ['order=valuesId', 'order=tags', 'alias=maybe', 'sorting=true', 'limit=0']) {
    t.is((await ask({ path: `${path}?${query}` })).status, 400, query)
  }
})

const view = (rule: Partial<PermissionRule> = {}): PermissionRule => ({
  mode: 'allow',
  action: 'view',
  resourceType: 'index',
  ...rule,
})

test('a page shows a token exactly the indexes that its rules let it view; a deactivated index is hidden', async (t) => {
  const page = async (rules: PermissionRule[]) => shown(await ask({ headers: await account.token(rules) }))
  t.is(await page([view()]), 'acdb')
  t.is(await page([view({ listIds: [listId] })]), 'acdb')
  t.is(await page([view({ indexIds: [ids.b ?? '', ids.e ?? ''] })]), 'b')
  t.is(await page([view(), view({ mode: 'block', indexIds: [ids.a ?? ''] })]), 'cdb')
})

test('if the rules let a token view no index, the list does not exist, unless the token may view it', async (t) => {
  const status = async (rules: PermissionRule[], to = path) => {
    const headers = await account.token(rules)
    const { status, json } = await ask({ path: to, headers })
    return `${status} ${json?.name ?? ''}`
  }
  const elsewhere = view({ listIds: [otherListId] })
  t.is(await status([elsewhere]), '404 REQUESTED_ENTITY_NOT_FOUND')
  t.is(await status([elsewhere, view({ resourceType: 'list' })]), '403 TOKEN_NOT_AUTHORIZED')
  t.is(await status([view({ resourceType: 'list' })]), '403 TOKEN_NOT_AUTHORIZED')
  t.is(await status([view()], '/lists/nothing/indexes'), '404 REQUESTED_ENTITY_NOT_FOUND')
  t.is(await status([view()], '/lists/hidden/indexes'), '404 REQUESTED_ENTITY_NOT_FOUND')
  t.is(await status([view()], `${path}/e`), '404 REQUESTED_ENTITY_NOT_FOUND')
})

const writes: [method: string, to: string, body: unknown][] = [
  ['POST', path, { pathName: 'new', pointer: '' }],
  ['PUT', `${path}/b`, { name: 'x' }],
  ['DELETE', `${path}/b`, undefined],
  ['POST', `${path}/b/rebuild`, undefined],
]
for (const [method, to, body] of writes) {
  test(`${method} ${to} is 403 for a token that may only view, and 404 where the rules are for another list`, async (t) => {
    const action = method === 'DELETE' ? 'delete' : to === path ? 'create' : 'update'
    const send = async (rules: PermissionRule[]) =>
      ask({ method, path: to, headers: await account.token(rules), ...(body !== undefined && { body }) })
    t.is((await send([view()])).status, 403)
    t.is((await send([view({ action, listIds: [otherListId] })])).status, 404)
    t.is((await send([view(), view({ action, listIds: [otherListId] })])).status, 403)
  })
}

test('the indexes of another account do not exist', async (t) => {
  const { user: headers } = await makeAccount(gateway.deps.db)
  for (const to of [path, `/lists/${listId}/indexes`, `/lists/${listId}/indexes/${ids.b}`]) {
    t.is((await ask({ path: to, headers })).status, 404)
  }
})
