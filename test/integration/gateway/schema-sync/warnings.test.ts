import test, { type ExecutionContext } from 'ava'
import { indexRoutes } from '#services/gateway/resources/indexes/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { syncSchemaRoutes } from '#services/gateway/resources/schema-sync/routes.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { listsOf, modifyList } from '../../../support/databases/contents/lists.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { type Credentials, makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...syncSchemaRoutes, ...indexRoutes, ...itemRoutes] })
})

const allow = (action: PermissionRule['action'], resourceType?: PermissionRule['resourceType']): PermissionRule => ({
  mode: 'allow',
  action,
  ...(resourceType && { resourceType }),
})
const wantsTitle = { type: 'object', required: ['title'] }
const document = (schema: unknown) => ({ lists: { recipes: { schema } } })

/** An account whose list `recipes` has three items, two of them with a title. */
async function world(t: ExecutionContext) {
  const account = await makeAccount(gateway.deps.db)
  const request = (method: string, path: string, body: unknown, headers: Credentials = account.user) =>
    call(gateway.port, { method, path, headers, body })
  await request('POST', '/sync-schema', { lists: { recipes: {} } })
  for (const data of [{ title: 'x' }, {}, { title: 'y', secret: 1 }]) {
    t.is((await request('POST', '/lists/recipes/items', { data })).status, 201)
  }
  /** Applies the schema to the list. @returns the status and the warnings */
  const sync = async (schema: unknown, { query = '', headers = account.user } = {}) => {
    const { status, json } = await request('POST', `/sync-schema${query}`, document(schema), headers)
    return { status, warnings: Object(json?.changes)[0]?.warnings }
  }
  /** The mismatches of stored items in the report of a dry run. */
  const mismatches = async (schema: unknown, headers = account.user) => {
    const { json } = await request('POST', '/sync-schema?dryRun=true', document(schema), headers)
    return Object(json?.changes)[0]?.mismatches
  }
  const listId = String((await listsOf(gateway.deps.db, account))[0]?.id)
  return { account, request, sync, mismatches, listId }
}

test('a new schema warns of the stored items that do not match it, in a dry run and when it is applied', async (t) => {
  const { sync } = await world(t)
  const warnings = ['Stored items that do not match the new schema: 1 of 3.']
  t.deepEqual(await sync(wantsTitle, { query: '?dryRun=true' }), { status: 200, warnings })
  t.deepEqual(await sync(wantsTitle), { status: 200, warnings })
  t.deepEqual(await sync(wantsTitle), { status: 200, warnings: undefined }, 'the schema does not change')
})

test('a schema that every stored item matches, and no schema, cause no warning', async (t) => {
  const { sync } = await world(t)
  t.is((await sync({ type: 'object' })).warnings, undefined)
  t.is((await sync(null)).warnings, undefined)
})

test('the report names some of the items that do not match, and where', async (t) => {
  const { request, mismatches } = await world(t)
  const { json } = await request('POST', '/lists/recipes/items', { data: { title: 3, serves: 'x' } })
  const schema = { properties: { title: { type: 'string' }, serves: { type: 'integer' } } }
  t.deepEqual(await mismatches(schema), {
    failing: 1,
    checked: 4,
    complete: true,
    items: [
      {
        itemId: json?.id,
        errors: [
          { pointer: '/title', message: 'must be string' },
          { pointer: '/serves', message: 'must be integer' },
        ],
      },
    ],
  })
  t.deepEqual(await mismatches({ type: 'object' }), { failing: 0, checked: 4, complete: true, items: [] })
  for (let n = 0; n < 10; n++) await request('POST', '/lists/recipes/items', { data: { title: n } })
  const many = await mismatches(schema)
  t.is(many.failing, 11)
  t.is(many.items.length, 10)
})

test('the warning does not change the plan', async (t) => {
  const { request, sync } = await world(t)
  const { json } = await request('POST', '/sync-schema?dryRun=true', document(wantsTitle))
  await request('POST', '/lists/recipes/items', { data: {} })
  const applied = await sync(wantsTitle, { query: `?planHash=${json?.planHash}` })
  t.deepEqual(applied, { status: 200, warnings: ['Stored items that do not match the new schema: 2 of 4.'] })
})

test('beyond 10,000 items the count is a minimum', async (t) => {
  const { account, sync, listId } = await world(t)
  await addManyItems(gateway.deps.db, { accountId: account.accountId, listId, count: 10_000 })
  t.regex((await sync(wantsTitle, { query: '?dryRun=true' })).warnings?.[0], /: at least \d+; \d+ were checked\.$/)
})

test('a token sees the count of the items that it may view, and none if it may list none', async (t) => {
  const { account, sync, mismatches, listId } = await world(t)
  const warningsFor = async (...rules: PermissionRule[]) => {
    const headers = await account.token([allow('sync-schema'), ...rules])
    return (await sync(wantsTitle, { query: '?dryRun=true', headers })).warnings?.[0]
  }
  t.regex(await warningsFor(allow('view', 'item')), /1 of 3/)
  t.regex(await warningsFor(), /were not checked/)
  t.is(await mismatches(wantsTitle, await account.token([allow('sync-schema')])), undefined)
  await modifyList(gateway.deps.db, listId, { indexable: 0 })
  t.regex(await warningsFor(allow('view', 'item')), /were not checked/)
})

test('a token that may not update a guard index cannot use a schema to find out what it guards', async (t) => {
  const { account, request, sync } = await world(t)
  await request('POST', '/lists/recipes/indexes', { name: 'secret', pointer: '/secret', guard: true })
  const guess = { properties: { secret: { const: 2 } } }
  const warningsFor = async (...rules: PermissionRule[]) => {
    const headers = await account.token([allow('sync-schema'), allow('view', 'item'), ...rules])
    return (await sync(guess, { query: '?dryRun=true', headers })).warnings?.[0]
  }
  t.regex(await warningsFor(), /were not checked/)
  t.regex(await warningsFor(allow('update', 'index')), /1 of 3/)
})
