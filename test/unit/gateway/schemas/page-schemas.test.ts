import test from 'ava'
import { createQueryReader } from '#services/gateway/http/input/query.ts'
import { accountEventsQuery } from '#services/gateway/resources/events/schemas.ts'
import { routes } from '#services/gateway/resources/index.ts'
import { listListsQuery } from '#services/gateway/resources/lists/schemas.ts'
import { printSchema } from '#services/gateway/schemas/joi.ts'
import { parsePage } from '#services/gateway/schemas/page-schemas.ts'
import { listOrders } from '#shared/data/lists/columns.ts'
import { listFields } from '#shared/domain/list/fields.ts'

/** The filters of each resource in contract 1.4; identity groups also have a name. */
const filters = {
  listLists: 'name pathName pinned readonly realtime protected indexable generative activated tagged',
  listIndexes: 'name pathName valueType alias guard activated defaultOrderDirection tagged',
  listIdentities: 'group name displayName activated tagged',
  listIdentityGroups: 'name',
  listTokens: 'name description activated tagged',
  listWebhooks: 'description activated',
}

const flags = 'pinned readonly realtime protected indexable generative activated alias guard'.split(' ')
const ofEveryPage = ['page', 'limit', 'order', 'direction', 'after']

for (const [operationId, names] of Object.entries(filters)) {
  const query = routes.find((route) => route.operationId === operationId)?.query
  const read = createQueryReader(query)
  const errorsOf = (values: Record<string, unknown>) => read(values).errors.map(({ path }) => path)
  const parameters = names.split(' ')
  const each = (value: (name: string) => unknown) => Object.fromEntries(parameters.map((name) => [name, value(name)]))

  test(`${operationId} has the filters ${names}, and no others`, (t) => {
    const { properties } = query ? printSchema(query) : {}
    const described = Object.keys(properties as object).filter((name) => !ofEveryPage.includes(name))
    t.deepEqual(described.toSorted(), parameters.toSorted())
    t.deepEqual(read({ id: 'x', nothing: 'x' }).value, read({}).value)
  })

  test(`${operationId} rejects each filter in a form that it does not have`, (t) => {
    const isFlag = (name: string) => flags.includes(name)
    const isText = (name: string) => !isFlag(name) && name !== 'tagged'
    const long = (name: string) => (name === 'tagged' ? ',' : 'x').repeat(10_001)
    t.deepEqual(errorsOf(each((name) => (isFlag(name) ? 'perhaps' : long(name)))).toSorted(), parameters.toSorted())
    const repeated = ['true', 'false']
    t.deepEqual(errorsOf(each(() => repeated)).toSorted(), parameters.filter((name) => name !== 'tagged').toSorted())
    t.deepEqual(errorsOf(each((name) => (isText(name) ? 'x' : ''))).toSorted(), parameters.filter(isFlag).toSorted())
  })
}

const read = createQueryReader(listListsQuery)
const parse = (query: Record<string, unknown>) => parsePage(read(query).value, listOrders, listFields)

test('texts are a part, eq:, starts: or in:, ignoring case; booleans true, false, 1 or 0', (t) => {
  t.deepEqual(parse({ name: 'Straße', pathName: 'in:a,B', pinned: '1', activated: 'false' }).filters, {
    name: { kind: 'contains', text: 'strasse' },
    pathName: { kind: 'in', texts: ['a', 'b'] },
    pinned: true,
    activated: false,
  })
  t.deepEqual(parse({ name: 'eq:A', pathName: 'starts:in:' }).filters, {
    name: { kind: 'equals', text: 'a' },
    pathName: { kind: 'starts', text: 'in:' },
  })
})

test('a filter on a field with few possible texts is an error if none matches, which names a similar one, or all', (t) => {
  const events = createQueryReader(accountEventsQuery)
  for (const text of ['eq:item-created', 'created', 'starts:ITEM', 'in:item-created,renamed', '']) {
    t.deepEqual(events({ type: text }).errors, [], text)
  }
  const message = (query: Record<string, string>) => events(query).errors.map((error) => error.message)
  t.deepEqual(message({ type: 'item.created' }), ['"type" must match a known value; did you mean "item-created"?'])
  t.deepEqual(message({ stream: 'eq:items' }), ['"stream" must match a known value; did you mean "item"?'])
  t.regex(message({ stream: 'recipe' }).join(), /a known value: list, item, index, .*flow$/)
})

test('tags of one parameter are alternatives, and repeated parameters are all required', (t) => {
  t.deepEqual(parse({ tagged: 'Red, sweet,' }).filters, { tagged: [['red', 'sweet']] })
  t.deepEqual(parse({ tagged: ['red', '', 'SWEET'] }).filters, { tagged: [['red'], ['sweet']] })
  const paths = (tagged: unknown) => read({ tagged }).errors.map(({ path }) => path)
  t.deepEqual(paths('eq:a'), ['tagged'])
  t.deepEqual(paths(Array(20).fill('a')), [])
  t.deepEqual(paths(Array(21).fill('a')), ['tagged'])
  const many = (count: number, from = 0) => Array.from({ length: count }, (_, n) => `t${from + n}`).join()
  t.deepEqual(paths(many(20)), [])
  t.deepEqual(paths(many(21)), ['tagged'])
  t.deepEqual(paths([many(20), many(20, 20), many(20, 40)]), [])
  t.deepEqual(paths([many(20), many(20, 20), many(20, 40), 'more']), ['tagged'])
})

test('a page by number reaches the first 100,000 rows, whatever its limit; a cursor reaches all', (t) => {
  for (const last of [{ page: 5_000 }, { page: 1_000, limit: 100 }, { page: 100_000, limit: 1 }]) {
    t.is(parse(last).request.limit, last.limit ?? 20)
    const further = { ...last, page: last.page + 1 }
    const error = t.throws(() => parse(further), { name: 'VALIDATION_FAILED' })
    t.like(error, { status: 400, details: { errors: [{ path: 'page' }] } })
    t.regex(JSON.stringify(error), /page with after/)
    t.like(parse({ limit: last.limit ?? 20, after: 'x' }).request, { after: 'x' })
  }
})

test('a page is requested by number or by cursor, not by both', (t) => {
  t.like(parse({}).request, { page: 1 })
  for (const after of ['', 'x']) {
    const error = t.throws(() => parse({ page: 2, after }), { name: 'VALIDATION_FAILED' })
    t.like(error, { status: 400, details: { errors: [{ path: 'page' }] } })
    t.regex(JSON.stringify(error), /cannot be combined with after/)
  }
})

test('a cursor is valid for the same filters, in any order', (t) => {
  const [one, other] = [parse({ name: 'a', pinned: 'true' }), parse({ pinned: '1', name: 'A', pathName: '' })]
  t.deepEqual(one, other)
  t.notDeepEqual(parse({ name: 'b', pinned: 'true' }).request, one.request)
  const [tagged, turned] = [parse({ tagged: ['a', 'b,c'] }), parse({ tagged: ['b,c', '', 'a'] })]
  t.is(tagged.request.filters, turned.request.filters)
  t.not(parse({ tagged: ['a', 'b', 'c'] }).request.filters, tagged.request.filters)
  t.is(parse({ tagged: '' }).request.filters, parse({}).request.filters)
})
