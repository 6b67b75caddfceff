import test from 'ava'
import { checkDefinition, type KnownList, readDefinition } from '#shared/domain/flow/definition.ts'
import { newIndex } from '#shared/domain/list/index-settings.ts'
import { documentText } from '../../../support/flows/documents.ts'

const nodes = [
  { id: 'found', type: 'list-items', list: 'cards', where: { state: 'input.state' } },
  { id: 'created', type: 'create-item', list: 'cards', data: 'input' },
  { id: 'end', type: 'respond', body: '{n: length(steps.found)}' },
]
const edges = [
  ['found', 'created'],
  ['created', 'end'],
]
const document = documentText({ nodes, edges })
const tests = JSON.stringify({
  items: { cards: { c1: { data: { state: 'open' } } } },
  tests: [{ name: 'one is open', input: { state: 'open' }, expect: { body: { n: 1 } } }],
})
const nothingKnown = { lists: null, webhooks: null, maxItemBytes: 1_000 }

function cards(schema: string | null = null): KnownList {
  const own = { id: 'state', accountId: 'a', listId: 'cards', at: 0 }
  const index = newIndex({ pathName: 'state', pointer: '/state', filtering: true }, own)
  return { key: 'cards', list: { id: 'cards', accountId: 'a', readonly: false }, schema, indexes: [index] }
}

test('the tests of a definition run with the schemas and indexes of the lists', (t) => {
  const messages = (lists: readonly KnownList[] | null) =>
    checkDefinition({ document, tests }, { ...nothingKnown, lists }).tests.map(({ message }) => message ?? null)
  t.deepEqual(messages([cards()]), [null])
  t.regex(messages([cards('{"required":["title"]}')])[0] ?? '', /SCHEMA_INVALID at the node "created"/)
  t.regex(messages(null)[0] ?? '', /at the node "found".*state is not known/)
})

test('if the lists are known, a document may name only them, and any names otherwise', (t) => {
  const codes = (lists: readonly KnownList[] | null) =>
    readDefinition({ document, tests: null }, { ...nothingKnown, lists }).diagnostics.map(({ code }) => code)
  t.deepEqual(codes([]), ['UNKNOWN_LIST', 'UNKNOWN_LIST'])
  t.deepEqual(codes(null), [])
})

test('a finding names the text that it belongs to', (t) => {
  const sources = (texts: { document: string; tests: string }) =>
    readDefinition(texts, nothingKnown).diagnostics.map(({ source, severity }) => [source, severity])
  t.deepEqual(sources({ document, tests: '{"test": []}' }), [
    ['tests', 'error'],
    ['tests', 'error'],
  ])
  t.deepEqual(sources({ document: '{}', tests: '{}' })[0], ['document', 'error'])
  t.true(sources({ document: '{}', tests: '{}' }).every(([source]) => source === 'document'))
})
