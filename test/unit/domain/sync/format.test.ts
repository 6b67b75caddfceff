import { Ajv } from 'ajv'
import draft07 from 'ajv/dist/refs/json-schema-draft-07.json' with { type: 'json' }
import test from 'ava'
import { syncDocumentErrors } from '#shared/domain/sync/document.ts'
import { syncDocumentFormat } from '#shared/domain/sync/format.ts'

const ajv = new Ajv({ strict: true, strictTypes: false })
const matches = ajv.compile(syncDocumentFormat)

test('the format for editors is itself draft-07', (t) => {
  t.true(new Ajv().validate(draft07.$id, syncDocumentFormat))
})

const documents: Record<string, unknown> = {
  empty: { lists: {} },
  'without lists': {},
  'not an object': [],
  'with every list property': {
    $schema: 'x',
    scope: 'a',
    lists: {
      a: { name: 'x', description: '', tags: ['a'], schema: {}, readonly: true, realtime: true, protected: true },
      b: { indexable: true, generative: true, generativePrompt: null, schema: null, indexes: {} },
    },
  },
  'with every index property': {
    lists: {
      a: {
        indexes: {
          i: { name: 'x', description: '', tags: [], pointer: '', valueType: 'date', defaultOrderDirection: 'asc' },
          j: { alias: true, sorting: true, filtering: true, searching: true, guard: true, pointer: '/~0/~1' },
        },
      },
    },
  },
  'an unknown property': { lists: {}, x: 1 },
  'an unknown list property': { lists: { a: { x: 1 } } },
  'an unknown index property': { lists: { a: { indexes: { i: { x: 1 } } } } },
  'a bad scope': { scope: 'a b', lists: {} },
  'a bad list key': { lists: { 'a b': {} } },
  'a long list key': { lists: { ['x'.repeat(201)]: {} } },
  'a bad index key': { lists: { a: { indexes: { 'a b': {} } } } },
  'an empty name': { lists: { a: { name: '' } } },
  'a long name': { lists: { a: { name: 'x'.repeat(201) } } },
  'a name of 200 emoji': { lists: { a: { name: '😀'.repeat(200) } } },
  'a name with U+0000': { lists: { a: { name: '\u0000' } } },
  'a null description': { lists: { a: { description: null } } },
  'a boolean schema': { lists: { a: { schema: true } } },
  'a bad tag': { lists: { a: { tags: ['!'] } } },
  'too many tags': { lists: { a: { tags: Array(21).fill('a') } } },
  'a bad pointer': { lists: { a: { indexes: { i: { pointer: 'a' } } } } },
  'a bad value type': { lists: { a: { indexes: { i: { valueType: 'x' } } } } },
  'a text flag': { lists: { a: { readonly: 'true' } } },
}
for (const [title, document] of Object.entries(documents)) {
  test(`editors and the service agree on a document: ${title}`, (t) => {
    t.is(matches(document), syncDocumentErrors(document).length === 0)
  })
}
