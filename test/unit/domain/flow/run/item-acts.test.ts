import test from 'ava'
import { type DocumentParts, inARow } from '../../../../support/flows/documents.ts'
import { cards, outcomeText, run, runTime, type TestRun, testId, testItem } from '../../../../support/flows/driving.ts'

type Nodes = readonly ({ id: string } & Record<string, unknown>)[]

const inRow = (...nodes: Nodes): DocumentParts => ({ nodes, edges: inARow(nodes) })
const body = (text: string) => ({ id: 'end', type: 'respond', body: text })
const one = testItem('c1', '{"name":"one","n":1}')

const cases: [title: string, parts: DocumentParts, test: TestRun, expected: string][] = [
  [
    'an item that is there',
    inRow({ id: 'a', type: 'get-item', list: 'Cards', item: 'input' }, body('steps.a')),
    { input: '"c1"', items: { c1: one } },
    '200 {"id":"c1","createdAt":"1970-01-01T00:00:01.000Z","updatedAt":"1970-01-01T00:00:02.000Z","identity":null,"data":{"name":"one","n":1},"version":"1.0.0"',
  ],
  [
    'an item that does not exist',
    inRow({ id: 'a', type: 'get-item', list: 'cards', item: '"c2"' }, body('[steps.a]')),
    {},
    '200 [null]',
  ],
  [
    'a required item that does not exist',
    inRow({ id: 'a', type: 'get-item', list: 'cards', item: '"c2"', required: true }),
    {},
    '404 NOT_FOUND a: there is no item "c2" in cards',
  ],
  [
    'an item whose id is null',
    inRow({ id: 'a', type: 'get-item', list: 'cards', item: 'input' }, body('[steps.a]')),
    {},
    '200 [null]',
  ],
  [
    'a delete of an item whose id is null',
    inRow({ id: 'a', type: 'delete-item', list: 'cards', item: 'input' }),
    {},
    '404 NOT_FOUND a: there is no item null in cards',
  ],
  [
    'an item by a number too long for a double',
    inRow({ id: 'a', type: 'get-item', list: 'cards', item: 'input', required: true }, body('steps.a.id')),
    { input: '12345678901234567890', items: { '12345678901234567890': one } },
    '200 "c1"',
  ],
  [
    'an item by a value that is not a reference',
    inRow({ id: 'a', type: 'get-item', list: 'cards', item: '[]' }),
    {},
    '422 EXPRESSION_ERROR a nodes.0.item:1:1: item must be an id or an alias, not a list',
  ],
  [
    'a list that no longer exists',
    inRow({ id: 'a', type: 'get-item', list: 'votes', item: '"c"' }),
    {},
    '404 NOT_FOUND a: there is no list "votes"',
  ],
  [
    'items',
    inRow({ id: 'a', type: 'list-items', list: 'cards' }, body('map(steps.a, item => item.data.n)')),
    { items: { c1: one, c2: testItem('c2', '{"n":2}') } },
    '200 [1,2]',
  ],
  [
    'a filter that the driver rejects',
    inRow({ id: 'a', type: 'list-items', list: 'cards', where: { x: '1' } }),
    { answer: () => ({ rejected: { code: 'INDEX_NOT_USABLE', message: 'No.', status: 400 } }) },
    '400 INDEX_NOT_USABLE a: No.',
  ],
  [
    'an update of an item that does not exist',
    inRow({ id: 'a', type: 'update-item', list: 'cards', item: '"c2"', data: '1' }),
    {},
    '404 NOT_FOUND a: there is no item "c2" in cards',
  ],
  [
    'a delete of an item that does not exist',
    inRow({ id: 'a', type: 'delete-item', list: 'cards', item: 'item', each: '["c1", "c2"]' }),
    { items: { c1: one } },
    '404 NOT_FOUND a [1]: there is no item "c2" in cards',
  ],
  [
    'another version',
    inRow({ id: 'a', type: 'update-item', list: 'cards', item: '"c1"', data: '1', ifVersion: '"1.0.7"' }),
    { items: { c1: one } },
    '409 CONFLICT a: the item of cards has the version 1.0.0, not 1.0.7',
  ],
  [
    'a merge with a value that is not an object',
    inRow({ id: 'a', type: 'update-item', list: 'cards', item: '"c1"', merge: '1' }),
    { items: { c1: one } },
    '422 EXPRESSION_ERROR a nodes.0.merge:1:1: merge must be an object, not a number',
  ],
  [
    'an invalid patch',
    inRow({ id: 'a', type: 'update-item', list: 'cards', item: '"c1"', patch: '[{op: "move", path: "/n"}]' }),
    { items: { c1: one } },
    '422 EXPRESSION_ERROR a nodes.0.patch:1:1: patch 0.from must be a JSON Pointer',
  ],
  [
    'a patch that fails',
    inRow({ id: 'a', type: 'update-item', list: 'cards', item: '"c1"', patch: '[{op: "test", path: "/n", value: 2}]' }),
    { items: { c1: one } },
    '409 ITEM_PATCH_FAILED a: operation 0 of the patch cannot be applied: "/n" has another value',
  ],
  [
    'an owner that does not exist',
    inRow({ id: 'a', type: 'create-item', list: 'cards', data: '1', owner: '"bob"' }),
    {},
    '404 NOT_FOUND a: there is no identity "bob"',
  ],
  [
    'invalid tags',
    inRow({ id: 'a', type: 'create-item', list: 'cards', data: '1', tags: '["a b"]' }),
    {},
    '422 EXPRESSION_ERROR a nodes.0.tags:1:1: tags.0 must be 1 to 50 letters',
  ],
  [
    'half of a surrogate pair is not kept',
    inRow({ id: 'a', type: 'create-item', list: 'cards', data: '"\\ud800"' }),
    {},
    '422 EXPRESSION_ERROR a nodes.0.data:1:1: a text must not have half of a surrogate pair',
  ],
]

for (const [title, parts, given, expected] of cases) {
  test(title, (t) => {
    const found = outcomeText(run(parts, given))
    t.true(found.startsWith(expected), found)
  })
}

test('writes to one item are one change, and later nodes read them', (t) => {
  const parts = inRow(
    { id: 'a', type: 'update-item', list: 'cards', item: '"one"', merge: '{n: 2, name: "uno"}', ifVersion: '"1.0.0"' },
    { id: 'b', type: 'get-item', list: 'cards', item: '"uno"' },
    { id: 'c', type: 'get-item', list: 'cards', item: '"one"' },
    {
      id: 'd',
      type: 'update-item',
      list: 'cards',
      item: '"c1"',
      patch: '[{op: "add", path: "/m", value: 9007199254740993}]',
    },
    { id: 'e', type: 'list-items', list: 'cards' },
    body('[steps.b.data.n, steps.c, steps.d.version, map(steps.e, item => item.data)]'),
  )
  const { outcome, writes, reads, asked, ...rest } = run(parts, { items: { one, c1: one } })
  t.is(
    outcomeText({ outcome, writes, reads, ...rest }),
    '200 [2,null,"1.0.1",[{"name":"uno","n":2,"m":9007199254740993}]]',
  )
  t.deepEqual(
    asked.map(({ ask }) => ask),
    ['item', 'items'],
  )
  t.deepEqual(reads, [{ list: 'cards', ref: 'one', item: { id: 'c1', revision: 3 }, node: 'a' }])
  t.is(writes.length, 1)
  const [write] = writes
  t.like(write, { op: 'update', list: 'cards', itemId: 'c1', before: one, node: 'd' })
  t.like(write?.after, {
    data: '{"name":"uno","n":2,"m":9007199254740993}',
    size: 41,
    version: '1.0.1',
    revision: 4,
    updatedAt: runTime,
  })
})

test('creating and deleting an item in one run leaves no change', (t) => {
  const parts = inRow(
    {
      id: 'a',
      type: 'create-item',
      list: 'cards',
      data: '{name: item}',
      each: '["x", "y"]',
      tags: '["A"]',
      owner: '"ada"',
    },
    { id: 'b', type: 'delete-item', list: 'cards', item: '"x"' },
    { id: 'c', type: 'update-item', list: 'cards', item: 'steps.a[1].id', data: '{name: "z"}' },
    { id: 'd', type: 'get-item', list: 'cards', item: '"x"' },
    body('[steps.d, steps.b.data, steps.c.version, length(steps.a)]'),
  )
  const result = run(parts)
  t.is(outcomeText(result), '200 [null,{"name":"x"},"1.0.0",2]')
  t.is(result.writes.length, 1)
  t.like(result.writes[0], { op: 'create', itemId: testId(2), before: null, node: 'c' })
  t.like(result.writes[0]?.after, {
    id: testId(2),
    data: '{"name":"z"}',
    revision: 1,
    tags: ['a'],
    identity: { id: 'ada', displayName: 'Ada' },
    createdAt: runTime,
  })
})

test('a deleted item is not found again, by any reference', (t) => {
  const parts = inRow(
    { id: 'a', type: 'delete-item', list: 'cards', item: '"c1"' },
    { id: 'b', type: 'get-item', list: 'cards', item: '"one"' },
    { id: 'c', type: 'list-items', list: 'cards' },
    body('[steps.a.data.n, steps.b, steps.c]'),
  )
  const result = run(parts, { items: { c1: one, one } })
  t.is(outcomeText(result), '200 [1,null,[]]')
  t.like(result.writes, [{ op: 'delete', before: one, after: null }])
})

test('items of a page that are read again are verified, and not requested', (t) => {
  const parts = inRow(
    { id: 'a', type: 'list-items', list: 'cards' },
    {
      id: 'b',
      type: 'update-item',
      list: 'cards',
      item: 'item.id',
      each: 'steps.a',
      merge: '{n: item.data.n + index}',
    },
  )
  const { asked, reads, writes } = run(parts, { items: { c1: one, c2: testItem('c2', '{"n":5}') } })
  t.deepEqual(
    asked.map(({ ask }) => ask),
    ['items'],
  )
  t.deepEqual(
    reads.map(({ item }) => item?.id),
    ['c1', 'c2'],
  )
  t.deepEqual(
    writes.map(({ after }) => after?.data),
    ['{"name":"one","n":1}', '{"n":6}'],
  )
})

test('a missing item is requested once, and verified to be missing', (t) => {
  const get = (id: string) => ({ id, type: 'get-item', list: 'cards', item: '"none"' })
  const { asked, reads } = run(inRow(get('a'), get('b')))
  t.is(asked.length, 1)
  t.deepEqual(reads, [{ list: 'cards', ref: 'none', item: null, node: 'a' }])
  const odd = run(
    { nodes: [{ id: 'a', type: 'get-item', list: 'cards', item: 'input' }] },
    { input: JSON.stringify('x'.repeat(1_025)) },
  )
  t.deepEqual(odd.asked, [])
})

test('guarded values are neither visible nor lost', (t) => {
  const lists = new Map([['cards', { ...cards, guards: ['/secret'] }]])
  const items = { c1: testItem('c1', '{"secret":1,"n":1}') }
  const write = (change: Record<string, unknown>) => {
    const parts = inRow({ id: 'a', type: 'update-item', list: 'cards', item: '"c1"', ...change }, body('steps.a.data'))
    const result = run(parts, { lists, items })
    return [outcomeText(result), result.writes[0]?.after?.data]
  }
  t.deepEqual(write({ data: '{n: 2}' }), ['200 {"n":2}', '{"secret":1,"n":2}'])
  t.deepEqual(write({ data: '{n: 2}', guarded: true }), ['200 {"n":2}', '{"n":2}'])
  t.deepEqual(write({ merge: '{n: 2}', guarded: true }), ['200 {"secret":1,"n":2}', '{"secret":1,"n":2}'])
  t.deepEqual(write({ merge: '{secret: 2}' }), ['200 {"n":1}', '{"n":1,"secret":2}'])
  t.regex(
    write({ patch: '[{op: "copy", from: "/secret", path: "/n"}]' })[0] ?? '',
    /patch 0\.from names a value that you cannot see/,
  )
  const read = (node: Record<string, unknown>) =>
    outcomeText(run(inRow({ id: 'a', list: 'cards', ...node }, body('steps.a')), { lists, items }))
  t.notRegex(read({ type: 'get-item', item: '"c1"' }), /secret|"size":18/)
  t.regex(read({ type: 'get-item', item: '"c1"', guarded: true }), /"secret":1/)
  t.notRegex(read({ type: 'list-items' }), /secret/)
  t.notRegex(read({ type: 'delete-item', item: '"c1"' }), /secret/)
})

test('a page is requested as the node defines it', (t) => {
  const node = {
    id: 'a',
    type: 'list-items',
    list: 'cards',
    where: { n: 'input.n', state: 'input.s' },
    order: 'n',
    direction: 'desc',
    limit: 7,
  }
  const { asked } = run(inRow(node), { input: '{"n":9007199254740993,"s":"x"}' })
  t.deepEqual(asked, [
    {
      ask: 'items',
      list: 'cards',
      where: '{"n":9007199254740993,"state":"eq:x"}',
      order: 'n',
      direction: 'desc',
      limit: 7,
      guarded: false,
    },
  ])
})
