import test from 'ava'
import type { Diagnostic } from '#shared/domain/flow/language/diagnostics.ts'
import { readFlow } from '#shared/domain/flow/language/document.ts'
import { nodeTypes } from '#shared/domain/flow/language/properties.ts'
import { checkSchema } from '#shared/json-schema/json-schema.ts'
import { assertDiagnostics, diagnosticsOf, lineOf } from '../../../../support/flows/diagnostics.ts'
import { type DocumentParts, documentText, inARow } from '../../../../support/flows/documents.ts'
import { testId } from '../../../../support/flows/driving.ts'
import { mutatedDocument } from '../../../../support/flows/mutated-document.ts'
import { seeded } from '../../../../support/load/random-json.ts'

test('a document of all types of nodes is read', (t) => {
  const nodes = [
    { id: 'a', type: 'require', when: 'input.n > 0', message: 'n must be positive', status: 422 },
    { id: 'b', type: 'compute', value: 'double(input.n)' },
    { id: 'c', type: 'get-item', list: 'Cards', item: 'input.card', required: true },
    { id: 'd', type: 'list-items', list: 'cards', where: { state: '"open"' }, order: 'createdAt', limit: 5 },
    {
      id: 'e',
      type: 'create-item',
      list: 'votes',
      data: '{n: item}',
      tags: ['New'],
      each: '[1, 2]',
      owner: 'identity?.id',
    },
    {
      id: 'f',
      type: 'update-item',
      list: 'cards',
      item: 'steps.c.id',
      merge: '{n: steps.b}',
      ifVersion: 'steps.c.version',
    },
    { id: 'g', type: 'delete-item', list: 'votes', item: 'item.id', each: 'steps.e' },
    { id: 'h', type: 'emit', webhooks: [testId(1), testId(1)], payload: 'steps.f', each: 'range(2)' },
    { id: 'i', type: 'switch', cases: [{ when: 'steps.b > 9', port: 'big' }] },
    { id: 'j', type: 'condition', when: 'steps.b > 1' },
    { id: 'k', type: 'respond', status: 201, body: 'steps.f', headers: { 'x-big': '"yes"', Location: 'steps.f.id' } },
    { id: 'l', type: 'respond' },
  ]
  const edges = [
    ...inARow(nodes.slice(0, 9)),
    ['i', 'k', 'big'],
    ['i', 'j', 'default'],
    ['j', 'k', 'true'],
    ['j', 'l', 'false'],
  ]
  const helpers = 'function double(n) = n * 2;'
  const { flow, diagnostics } = readFlow(documentText({ nodes, edges, helpers, description: 'All', layout: [1] }))
  t.deepEqual(diagnostics, [])
  t.deepEqual(
    nodes
      .map(({ type }) => type)
      .filter((type) => type !== 'respond')
      .toSorted(),
    nodeTypes.filter((type) => type !== 'respond').toSorted(),
  )
  t.is(flow?.start, 'a')
  t.deepEqual(flow?.lists, ['cards', 'votes'])
  t.deepEqual(flow?.webhooks, [testId(1)])
  t.deepEqual(Object.fromEntries(flow?.edges.get('i') ?? []), { big: 'k', default: 'j' })
  t.like(flow?.entry, { method: 'POST', path: 'greet', public: false, input: null })
  t.like(flow?.nodes.get('e'), { tags: ['new'], guarded: false })
  t.like(flow?.nodes.get('l'), { status: 200, body: null, headers: null })
})

test('the source text of the schema of the input is kept, numbers included', (t) => {
  const text = documentText().replace(
    '"path": "greet"',
    '"path": "greet", "input": { "maximum": 1.50, "10": {}, "9": 1e400 }',
  )
  t.is(readFlow(text).flow?.entry.input, '{"maximum":1.50,"10":{},"9":1e400}')
})

const cases: [DocumentParts, ...string[]][] = [
  [{ version: 2 }, 'INVALID version: must be 1'],
  [{ version: '1' }, 'INVALID version: must be 1'],
  [{ name: '' }, 'INVALID name: must not be empty'],
  [{ name: 7 }, 'WRONG_TYPE name: must be a string'],
  [{ name: 'a\u0000' }, 'INVALID name: must not contain U+0000'],
  [{ name: 'x'.repeat(201) }, 'INVALID name: must be at most 200 characters long'],
  [{ description: 'x'.repeat(10_001) }, 'INVALID description: must be at most 10000 characters long'],
  [{ edgse: [] }, 'UNKNOWN_PROPERTY edgse: is not allowed; did you mean "edges"?'],
  [{ constructor: 1 }, 'UNKNOWN_PROPERTY constructor: is not allowed'],
  [{ entry: undefined }, 'REQUIRED entry: is required'],
  [{ entry: [] }, 'WRONG_TYPE entry: must be an object with type and path'],
  [{ entry: {} }, 'REQUIRED entry.type: is required', 'REQUIRED entry.path: is required'],
  [
    { entry: { type: 'event', events: ['item.created'] } },
    'UNSUPPORTED_ENTRY entry.type: is "event", but this version runs only flows of the type endpoint',
  ],
  [
    { entry: { type: 'schedule', cron: '* * * * *' } },
    'UNSUPPORTED_ENTRY entry.type: is "schedule", but this version runs only flows of the type endpoint',
  ],
  [{ entry: { type: 'http', path: 'a' } }, 'INVALID entry.type: must be one of endpoint'],
  [
    { entry: { type: 'endpoint', path: 'a', method: 'HEAD' } },
    'INVALID entry.method: must be one of GET, POST, PUT, PATCH, DELETE',
  ],
  [{ entry: { type: 'endpoint', path: 'a', public: 1 } }, 'WRONG_TYPE entry.public: must be true or false'],
  [{ entry: { type: 'endpoint', path: 'a', input: [] } }, 'WRONG_TYPE entry.input: must be an object'],
  [
    { entry: { type: 'endpoint', path: 'a', pubic: true } },
    'UNKNOWN_PROPERTY entry.pubic: is not allowed; did you mean "public"?',
  ],
  [
    { entry: { type: 'endpoint', path: 'Public/x' } },
    'PATH entry.path: must not begin with public: /flows/public/ is where flows are called by id',
  ],
  [{ helpers: 'let a = b;' }, 'EXPRESSION helpers: there is no "b" here'],
  [
    { helpers: 'let item = 1;' },
    'EXPRESSION helpers: cannot define a helper "item": the name is reserved for expressions below each',
  ],
  [{ helpers: 'let steps = 1;' }, 'EXPRESSION helpers: "steps" is already defined'],
  [{ helpers: 'let a = steps.anwser;' }, 'UNKNOWN_STEP helpers: there is no node "anwser"; did you mean "answer"?'],
  [
    { helpers: '/'.repeat(16 * 1024 + 1) },
    'INVALID helpers: must be at most 16384 characters long',
    'EXPRESSION helpers: at most 16,384 characters are allowed',
  ],
  [{ nodes: {} }, 'WRONG_TYPE nodes: must be an array of at least one node'],
  [{ nodes: [] }, 'WRONG_TYPE nodes: must be an array of at least one node'],
  [{ nodes: [1] }, 'WRONG_TYPE nodes.0: must be an object with id and type'],
]

for (const [n, [parts, ...expected]] of cases.entries())
  test(`${n}: ${expected.join('; ')}`, (t) => assertDiagnostics(t, parts, expected))

for (const path of ['a', 'A-b_c/1', '.well-known/x', '~x', '..a', '...', 'a/.b', 'a.', '-', 'x'.repeat(200)]) {
  test(`${JSON.stringify(path.slice(0, 20))} is a path`, (t) => {
    t.is(readFlow(documentText({ entry: { type: 'endpoint', path } })).flow?.entry.path, path)
  })
}

for (const path of [
  '',
  '/',
  '/a',
  'a//b',
  'a/',
  '.',
  '..',
  '../b',
  'a/.',
  'a/../b',
  'a b',
  'ä',
  'a?b',
  '{id}',
  'a%2f',
  'x'.repeat(201),
]) {
  test(`${JSON.stringify(path.slice(0, 10))} is not a path`, (t) => {
    t.regex(diagnosticsOf({ entry: { type: 'endpoint', path } })[0] ?? '', /^INVALID entry\.path: must/)
  })
}

test('a diagnostic names the node, and the line and column of the error in the text', (t) => {
  const text = `{
 "version": 1, "name": "a", "entry": {"type": "endpoint", "path": "a"},
 "nodes": [{"id": "one", "type": "compute", "value":
  "\\"\\u00e9\\"\\n + lenght(1)"}]}`
  const [first] = readFlow(text).diagnostics
  t.deepEqual(first, {
    severity: 'error',
    code: 'EXPRESSION',
    message: 'there is no function "lenght"; did you mean "length"?',
    node: 'one',
    path: 'nodes.0.value',
    line: 4,
    column: 19,
  })
})

test('a text that is not JSON is reported by line and column', (t) => {
  const place = ({ code, line, column }: Diagnostic) => `${code} ${line}:${column}`
  t.deepEqual(readFlow('{\n "a": 1,\n "a": 2}').diagnostics.map(place), ['JSON 3:2'])
  t.deepEqual(readFlow('').diagnostics.map(place), ['JSON 1:1'])
  t.deepEqual(readFlow('[').diagnostics.map(place), ['JSON 1:2'])
  t.deepEqual(readFlow('{"a": "\\ud800"}').diagnostics.map(place), ['JSON 1:8'])
  t.deepEqual(readFlow(`${'['.repeat(201)}${']'.repeat(201)}`).diagnostics.map(place), ['JSON 1:201'])
  t.deepEqual(readFlow('[]').diagnostics.map(lineOf), ['WRONG_TYPE : must be an object'])
})

test('a document may have 256 KiB, and not one byte more', (t) => {
  const sized = (bytes: number) => {
    const text = documentText({ layout: 'é' })
    return text.replace('é', `é${'x'.repeat(bytes - Buffer.byteLength(text))}`)
  }
  t.deepEqual(readFlow(sized(256 * 1024)).diagnostics, [])
  t.deepEqual(readFlow(sized(256 * 1024 + 1)).diagnostics.map(lineOf), ['TOO_LARGE : must be at most 256 KiB long'])
})

test('a document may have 200 nodes, and not one more', (t) => {
  const rowOf = (count: number) => {
    const nodes = Array.from({ length: count }, (_, n) => ({
      id: `n${n}`,
      type: 'require',
      when: 'true',
      message: 'm',
    }))
    return { nodes, edges: inARow(nodes) }
  }
  t.deepEqual(diagnosticsOf(rowOf(200)), [])
  t.is(diagnosticsOf(rowOf(201))[0], 'INVALID nodes.200: is one too many: a flow has at most 200 nodes')
})

test('lists and webhooks must be those of the account, if they are known', (t) => {
  const nodes = [
    { id: 'a', type: 'delete-item', list: 'Card', item: '"1"' },
    { id: 'b', type: 'emit', webhooks: [testId(1), testId(2)], payload: '1' },
  ]
  const parts = { nodes, edges: inARow(nodes) }
  t.deepEqual(diagnosticsOf(parts), [])
  t.deepEqual(diagnosticsOf(parts, { lists: new Set(['cards']), webhooks: new Set([testId(2)]) }), [
    'UNKNOWN_LIST nodes.0.list: is not a list of the account; did you mean "cards"?',
    'UNKNOWN_WEBHOOK nodes.1.webhooks.0: is not a webhook of the account',
  ])
  t.deepEqual(diagnosticsOf(parts, { webhooks: 'unseen' }), [
    '(warning) UNSEEN_WEBHOOKS nodes.1.webhooks: were not looked up: that needs a signed-in user',
  ])
  t.deepEqual(diagnosticsOf(parts, { lists: new Set(['card']), webhooks: new Set([testId(1), testId(2)]) }), [])
})

test('the schema of the input is checked if its rules are available', (t) => {
  const entry = { type: 'endpoint', path: 'a', input: { properties: { a: { type: 'strin' } } } }
  t.deepEqual(diagnosticsOf({ entry }), [])
  const [first = ''] = diagnosticsOf({ entry }, { schemaErrors: checkSchema })
  t.regex(first, /^SCHEMA entry\.input\.properties\.a\.type: must be/)
})

test('of many errors only 100 are reported, and the document is not read', (t) => {
  const nodes = Array.from({ length: 200 }, (_, n) => ({ id: `n${n}`, type: 'compute', value: 'steps.n199 + ' }))
  t.is(diagnosticsOf({ nodes, edges: [] }).length, 100)
  const warned = Array.from({ length: 150 }, (_, n) => ({ id: `n${n}`, type: 'condition', when: 'true' }))
  const edges = warned.slice(1).map(({ id }, n) => [`n${n}`, id, 'true'])
  t.is(readFlow(documentText({ nodes: warned, edges })).flow, null)
})

test('random documents have a flow or diagnostics in the text, and never cause an exception', (t) => {
  const random = seeded(Number(process.env.TEST_SEED ?? 7))
  for (let round = 0; round < 5_000; round++) {
    const text = mutatedDocument(random)
    const { flow, diagnostics } = readFlow(text)
    t.true(flow !== null || diagnostics.length > 0, text)
    for (const { line, column } of diagnostics) {
      const there = text.split('\n')[line - 1]
      if (there === undefined || column > there.length + 1) t.fail(`${line}:${column} ${text}`)
    }
  }
})
