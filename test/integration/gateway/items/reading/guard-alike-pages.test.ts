import test from 'ava'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { itemSearchRoutes } from '#services/gateway/resources/items/search/routes.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { type Credentials, makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { call, type Reply } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()

/** Data that look the same to a caller that does not see `/secret` and `/card/pin`, each in a list of its own. */
const variants = [
  { title: 'Tomato soup', card: { name: 'canary', minutes: 5 } },
  { title: 'Tomato soup', card: { name: 'canary', minutes: 5, pin: 7 }, secret: 'hidden soup' },
  { secret: ['tomato', { canary: 'x'.repeat(5_000) }], title: 'Tomato soup', card: { name: 'canary', minutes: 5 } },
  { title: 'Tomato soup', secret: null, card: { name: 'canary', minutes: 5, pin: ['hidden', 'canary'] } },
]

const use = { filtering: true, sorting: true, searching: true }
const indexes = [
  { pathName: 'title', pointer: '/title', ...use },
  { pathName: 'name', pointer: '/card/name', ...use },
  { pathName: 'minutes', pointer: '/card/minutes', valueType: 'number', filtering: true, sorting: true },
  { pathName: 'secret', pointer: '/secret', guard: true },
  { pathName: 'pin', pointer: '/card/pin', guard: true },
]

const leaves: Record<string, unknown>[] = [
  { search: 'hidden' },
  { search: 'tomato hidden' },
  { search: 'not:hidden' },
  { title: 'soup' },
  { title: null },
  { name: 'not:canary' },
  { minutes: 5 },
  { secret: 'hidden' },
  { secret: null },
  { pin: 'not:null' },
  { size: 'gt:100' },
  { version: '1.' },
  { tagged: null },
]
const questions = leaves.flatMap((leaf, n) => [
  leaf,
  { not: leaf },
  { or: [leaf, { title: 'eq:nothing' }] },
  { and: [{ not: { or: [leaf] } }, leaves[(n + 1) % leaves.length]] },
])

const filters = [
  ...['hidden', 'tomato', 'canary', 'hidden canary', 'not:hidden', 'xxxxx'].map((words) => ({ search: words })),
  { secret: 'hidden' },
  { secret: 'null' },
  { pin: 'not:null' },
  { size: 'lt:100' },
  { order: 'size' },
  { order: 'secret' },
  ...['minutes', 'title', 'updatedAt', 'version'].map((order) => ({ order, search: 'soup' })),
  ...questions.map((question) => ({ where: JSON.stringify(question) })),
]

let gateway: TestGateway
let account: TestAccount

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...itemRoutes, ...itemSearchRoutes] })
  account = await makeAccount(gateway.deps.db)
  for (const [n, data] of variants.entries()) {
    await addList(gateway.deps.db, account.accountId, { pathName: `list-${n}`, indexes })
    const path = `/lists/list-${n}/items`
    for (const one of [data, { title: 'Stew' }]) {
      const created = await call(gateway.port, { method: 'POST', path, body: { data: one }, headers: account.user })
      if (created.status !== 201) throw new Error(created.text)
    }
  }
})

/** The answers to the same query on each list. */
const askEach = (query: string, headers: Credentials): Promise<Reply[]> =>
  Promise.all(variants.map((_, n) => call(gateway.port, { path: `/lists/list-${n}/${query}`, headers })))

/** The answer without the parts that always differ: ids, times, cursors and the name of the list. */
function reported({ status, text }: Reply): string {
  const same = text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/"next":"[^"]+"/g, '"next":"CURSOR"')
    .replaceAll(/list-\d/g, 'LIST')
  return `${status} ${same}`
}

const rules: Record<string, PermissionRule[]> = {
  'a token that may do everything': [{ mode: 'allow', action: '*' }],
  'a token that views items': [{ mode: 'allow', action: 'view', resourceType: 'item' }],
}

for (const [caller, permissions] of Object.entries(rules)) {
  test(`no page, total, search or error of a filter reveals guarded values to ${caller}`, async (t) => {
    const headers = await account.token(permissions)
    const pages = filters.flatMap((filter) =>
      ['limit=1&after=', 'includeData=true'].map((page) => `items?${page}&${new URLSearchParams(filter)}`),
    )
    const searches = ['hidden', 'canary', 'tomato hidden'].map(
      (words) => `search?includeItems=true&query=${encodeURIComponent(words)}`,
    )
    let answered = 0
    for (const query of [...pages, ...searches]) {
      const replies = await askEach(query, headers)
      const [first = '', ...others] = replies.map(reported)
      t.notRegex(first, /^(401|403|404|429|5..) |hidden soup|xxxxx.*xxxxx/, query)
      for (const other of others) t.is(other, first, query)
      if (first.startsWith('200')) answered++
    }
    t.true(answered > pages.length / 3, `${answered} answers of ${pages.length}`)
  })
}
