import test from 'ava'
import type { FlowAsk } from '#shared/domain/flow/run/driver.ts'
import { ItemsInMemory } from '#shared/domain/flow/tests/items-in-memory.ts'
import type { GivenItem } from '#shared/domain/flow/tests/tests-document.ts'
import { testList } from '../../../../support/flows/flow-tests.ts'

const list = testList([
  { pointer: '/n', pathName: 'n', valueType: 'number', filtering: true, sorting: true },
  { pointer: '/tags', pathName: 'topic', filtering: true },
  { pointer: '/name', pathName: 'name', alias: true },
  { pointer: '/x', pathName: 'x' },
  { pointer: '/text', pathName: 'text', searching: true },
])

const ada = { id: 'ada', name: 'ada', displayName: 'Ada', group: 'users', tags: [] }

const given = (data: unknown, fields: Partial<NonNullable<GivenItem>> = {}): GivenItem => ({
  data,
  tags: [],
  version: '1.0.0',
  description: '',
  readonly: false,
  locked: false,
  activated: true,
  owner: null,
  ...fields,
})

function itemsOf(): ItemsInMemory {
  const items = new ItemsInMemory(list)
  const all = new Map([
    ['a', given({ n: 10, name: 'one', tags: ['red', 'blue'] }, { tags: ['new'] })],
    ['b', given({ n: 9, name: 7 }, { owner: ada, version: '2.0.0' })],
    ['c', given({ tags: ['green'], text: 'Crème brûlée' }, { readonly: true })],
    ['d', given({ n: 1 }, { activated: false })],
  ])
  items.give(all, 1_000)
  return items
}

const cases: [ask: Partial<FlowAsk & { ask: 'items' }>, ids: string][] = [
  [{}, 'c b a'],
  [{ direction: 'asc', limit: 2 }, 'a b'],
  [{ order: 'n' }, 'b a c'],
  [{ order: 'n', direction: 'desc' }, 'a b c'],
  [{ order: 'size' }, 'b a c'],
  [{ where: '{"n": "lt:10"}' }, 'b'],
  [{ where: '{"n": 10}' }, 'a'],
  [{ where: '{"n": null}' }, 'c'],
  [{ where: '{"topic": "eq:blue"}' }, 'a'],
  [{ where: '{"topic": "not:eq:blue"}' }, 'c b'],
  [{ where: '{"alias": "eq:one"}' }, 'a'],
  [{ where: '{"alias": "eq:7"}' }, 'b'],
  [{ where: '{"alias": null}' }, 'c'],
  [{ where: '{"alias": "not:null"}' }, 'b a'],
  [{ where: '{"tagged": "new"}' }, 'a'],
  [{ where: '{"tagged": null}' }, 'c b'],
  [{ where: '{"identityId": null}' }, 'c a'],
  [{ where: '{"version": "starts:2"}' }, 'b'],
  [{ where: '{"readonly": true}' }, 'c'],
  [{ where: '{"activated": false}' }, 'd'],
  [{ where: '{"or": [{"n": 10}, {"not": {"readonly": false}}]}' }, 'c a'],
  [{ where: '{"and": [{"n": "gt:1"}, {"n": "lt:10"}]}' }, 'b'],
  [{ where: '{"createdAt": "after:1970-01-01T00:00:01.001Z"}' }, 'c b'],
  [{ where: '{"search": "soup creme"}' }, 'c'],
  [{ where: '{"search": "not:creme"}' }, 'b a'],
  [{ where: '{"search": "cre", "prefix": true}' }, 'c'],
  [{ where: '{"search": "none cre", "prefix": true, "match": "all"}' }, ''],
  [{ where: '{"search": "creme", "match": "most"}' }, 'VALIDATION_FAILED where.match must be any or all'],
  [{ where: '{"match": "all"}' }, 'VALIDATION_FAILED where.match requires "search"'],
  [{ where: '{"search": "x"}' }, 'VALIDATION_FAILED where.search must be at least 3 characters long'],
  [{ where: '{"nn": 1}' }, 'VALIDATION_FAILED where.nn is not known'],
  [{ where: '{"x": "1"}' }, 'INDEX_NOT_USABLE x: The index does not have "filtering" turned on.'],
  [{ where: '{"n": "x"}' }, 'VALIDATION_FAILED where.n must be a number'],
  [{ where: '{' }, 'VALIDATION_FAILED where must be a JSON text'],
  [{ order: 'x' }, 'INDEX_NOT_USABLE x: The index does not have "sorting" turned on.'],
  [{ order: 'y' }, 'VALIDATION_FAILED order must be one of createdAt'],
]

for (const [ask, expected] of cases) {
  test(`${JSON.stringify(ask)} finds ${expected}`, (t) => {
    const page = itemsOf().page({
      ask: 'items',
      list: 'cards',
      where: null,
      order: null,
      direction: null,
      limit: 10,
      guarded: false,
      ...ask,
    })
    const found = 'code' in page ? `${page.code} ${page.message}` : page.map(({ id }) => id).join(' ')
    t.true('code' in page ? found.startsWith(expected) : found === expected, found)
  })
}

test('sizes are hidden from nodes that do not see guarded values, if there are any', (t) => {
  const guarding = testList([{ pointer: '/secret', pathName: 'secret', guard: true }])
  const page = (of: typeof list, asked: Partial<FlowAsk & { ask: 'items' }>) => {
    const items = new ItemsInMemory(of)
    items.give(new Map([['a', given({ secret: 'x' })]]), 1_000)
    const ask = { ask: 'items', list: 'cards', where: null, order: null, direction: null, limit: 10, guarded: false }
    const found = items.page({ ...ask, ...asked } as FlowAsk & { ask: 'items' })
    return 'code' in found ? found.message : found.length
  }
  const why = 'for nodes that are not guarded where the list has guard indexes'
  t.is(page(guarding, { order: 'size' }), `order cannot be size ${why}`)
  t.is(page(guarding, { where: '{"or": [{"size": "gt:1"}]}' }), `where.or.0.size cannot be used ${why}`)
  for (const asked of [{ order: 'size' }, { where: '{"size": "gt:1"}' }]) {
    t.is(page(guarding, { ...asked, guarded: true }), 1)
    t.is(page(list, asked), 1)
  }
})

test('a search of a list whose items have no words is rejected, as by the API', (t) => {
  const page = new ItemsInMemory(testList()).page({
    ask: 'items',
    list: 'cards',
    where: '{"search": "soup"}',
    order: null,
    direction: null,
    limit: 10,
    guarded: false,
  })
  t.like(page, { code: 'INDEX_NOT_USABLE', status: 422, message: 'No index of the list has "searching" turned on.' })
})

test('an item is found by its id, and by its alias', (t) => {
  const items = itemsOf()
  t.deepEqual(
    ['a', 'one', '7', 'two'].map((ref) => items.find(ref)?.id),
    ['a', 'a', 'b', undefined],
  )
  t.deepEqual(items.find('b')?.identity, { id: 'ada', displayName: 'Ada' })
})

test('items without a value come last in both directions, in the order of their ids', (t) => {
  const items = new ItemsInMemory(list)
  items.give(
    new Map([
      ['a', given({})],
      ['b', given({ n: 1 })],
      ['c', given({})],
    ]),
    1_000,
  )
  const ids = (direction: 'asc' | 'desc') => {
    const page = items.page({
      ask: 'items',
      list: 'cards',
      where: null,
      order: 'n',
      direction,
      limit: 10,
      guarded: true,
    })
    return 'code' in page ? page.message : page.map(({ id }) => id).join(' ')
  }
  t.deepEqual([ids('asc'), ids('desc')], ['b a c', 'b c a'])
})

test('without an alias index no item has an alias, and given tags are in their stored form', (t) => {
  const items = new ItemsInMemory(testList())
  items.give(new Map([['a', given({ name: 'one' }, { tags: ['New', 'new'] })]]), 1_000)
  const found = (where: string) => {
    const page = items.page({
      ask: 'items',
      list: 'cards',
      where,
      order: null,
      direction: null,
      limit: 10,
      guarded: true,
    })
    return 'code' in page ? page.message : page.length
  }
  t.is(found('{"alias": "one"}'), 0)
  t.is(found('{"alias": null}'), 1)
  t.is(found('{"tagged": "new"}'), 1)
  t.deepEqual(items.get('a')?.tags, ['new'])
})

test('of several errors the first one is that of the API', (t) => {
  const page = itemsOf().page({
    ask: 'items',
    list: 'cards',
    where: '{"nn": 1, "mine": true}',
    order: 'x',
    direction: null,
    limit: 10,
    guarded: true,
  })
  t.like(page, { code: 'INDEX_NOT_USABLE' })
  const mine = { where: '{"mine": true}', order: 'y', direction: null, limit: 10, guarded: true } as const
  t.like(itemsOf().page({ ask: 'items', list: 'cards', ...mine }), { message: 'where.mine needs identity headers' })
})
