import test from 'ava'
import { flowRoutes } from '#services/gateway/resources/flows/calls/routes.ts'
import { flowDefinitionRoutes } from '#services/gateway/resources/flows/definitions/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { randomData, randomFlow, randomTags } from '../../../../support/flows/random-flow.ts'
import { addFlow, runsOf } from '../../../../support/flows/stored-flows.ts'
import { makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { type Call, call } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { pick } from '../../../../support/load/random-json.ts'
import { rounds, seededRandom, withSeed } from '../../../../support/load/soak.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...flowRoutes, ...flowDefinitionRoutes, ...itemRoutes] })
})

type Item = { id: string; version: string; data: unknown } & Record<string, unknown>
type Items = Record<string, Item[]>
type Write = { op: string; list: string; itemId: string; node: string }

const lists = ['cards', 'plain'] as const

test(withSeed('a test of a flow has the same result as a run, and leaves the same items'), async (t) => {
  const random = seededRandom()
  for (let n = 0; n < rounds({ once: 4, soak: 100 }); n++) {
    const account = await setUp(random)
    for (let flow = 0; flow < 12; flow++) await compare(account, `flow${flow}`)
  }

  async function compare(account: TestAccount, path: string): Promise<void> {
    const { db } = gateway.deps
    const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
    const before = await itemsOf(account)
    const ids = Object.fromEntries(lists.map((list) => [list, before[list]?.map(({ id }) => id) ?? []]))
    const document = randomFlow(random, path, ids)
    const text = JSON.stringify(document)
    const flowId = await addFlow(db, account.accountId, document)
    const {
      status,
      json,
      text: body,
    } = await call(gateway.port, {
      method: 'POST',
      path: `/flows/${path}`,
      headers: await account.token(),
    })
    const after = await itemsOf(account)
    const [record] = await runsOf(db, flowId)
    const writes: Write[] = status === 200 ? JSON.parse(record?.report ?? '').writes : []
    const named = lists.filter((list) => document.nodes.some((node) => 'list' in node && node.list === list))
    const expected = {
      items: Object.fromEntries(named.map((list) => [list, dataOf(list, before, after)])),
      writes: writes.map((write) => expectedWrite(write, after)),
    }
    const tests = {
      items: Object.fromEntries(named.map((list) => [list, given(list, before)])),
      // The first test fails, so that its report shows the actual result.
      tests: [
        { name: 'actual', expect: { status: 599 } },
        { name: 'writes', expect: status === 200 ? expected : { status } },
      ],
    }
    const checked = await ask({ method: 'POST', path: '/flow-definitions/check', body: { document, tests } })
    const [actual, rest] = (checked.json?.tests ?? []) as { actual?: Actual; passed: boolean; message?: string }[]
    t.is(actual?.actual?.status, status, `${text} ${body} ${checked.text}`)
    if (status === 200) t.deepEqual(actual?.actual?.body, json, text)
    else {
      const { code, node } = (json?.details ?? {}) as Record<string, string>
      t.true(actual?.actual?.error?.includes(`${code} at the node "${node}"`), `${text} ${body} ${checked.text}`)
      // The caller does not receive the message with its values; the run's record has it.
      const { message } = JSON.parse(record?.report ?? '').error
      t.true(actual?.actual?.error?.endsWith(`: ${message}`), `${text} ${body} ${checked.text}`)
    }
    t.true(rest?.passed, `${rest?.message} ${text}`)
  }
})

type Actual = { status: number; body: unknown; error?: string }

/** An account with some items in its lists. */
async function setUp(random: () => number): Promise<TestAccount> {
  const { db } = gateway.deps
  const account = await makeAccount(db)
  const indexes = [
    { pathName: 'slug', pointer: '/slug', alias: true },
    { pathName: 'n', pointer: '/n', valueType: 'number', filtering: true, sorting: true },
    { pathName: 'topic', pointer: '/topics', filtering: true },
    { pathName: 'title', pointer: '/text', searching: true, sorting: true, defaultOrderDirection: 'desc' },
  ]
  const schema = { properties: { n: { not: { const: 1_000 } } } }
  await addList(db, account.accountId, { pathName: 'cards', schema, indexes })
  await addList(db, account.accountId, { pathName: 'plain' })
  for (let n = 0; n < 10; n++) {
    const list = n < 8 ? 'cards' : 'plain'
    const fields = { tags: randomTags(random), activated: random() < 0.85, version: pick(random, ['1.0.0', '2.0.0']) }
    const path = `/lists/${list}/items`
    const created = await call(gateway.port, {
      method: 'POST',
      path,
      headers: account.user,
      body: { data: randomData(random), ...fields },
    })
    const flags = pick(random, [{}, {}, { readonly: true }, { locked: true }])
    if (created.status === 201 && Object.keys(flags).length > 0)
      await call(gateway.port, {
        method: 'PUT',
        path: `${path}/${created.json?.id}`,
        headers: account.user,
        body: flags,
      })
  }
  return account
}

/** The items of each list in the order of their creation. */
async function itemsOf(account: TestAccount): Promise<Items> {
  const found = lists.map(async (list) => {
    const path = `/lists/${list}/items?order=createdAt&direction=asc&includeData=true&limit=100`
    const { json } = await call(gateway.port, { path, headers: account.user })
    return [list, json?.data as Item[]] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

/** Items in the form of a flow's tests. */
function given(list: string, items: Items): Record<string, unknown> {
  const entries = items[list]?.map(({ id, data, tags, version, description, readonly, locked, activated }) => [
    id,
    { data, tags, version, description, readonly, locked, activated },
  ])
  return Object.fromEntries(entries ?? [])
}

/** The data of the earlier items; null if the item no longer exists. */
function dataOf(list: string, before: Items, after: Items): Record<string, unknown> {
  const entries = before[list]?.map(({ id }) => [id, after[list]?.find((one) => one.id === id)?.data ?? null])
  return Object.fromEntries(entries ?? [])
}

/** A write in the form of a flow's tests. Without the id of a new item, which differs in a test. */
function expectedWrite({ op, list, itemId, node }: Write, after: Items): Record<string, unknown> {
  const item = after[list]?.find(({ id }) => id === itemId)
  return { op, list, node, ...(op !== 'create' && { itemId }), ...(item && { data: item.data, version: item.version }) }
}
