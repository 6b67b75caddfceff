import { Ajv } from 'ajv'
import draft07 from 'ajv/dist/refs/json-schema-draft-07.json' with { type: 'json' }
import test from 'ava'
import { maxIndexesPerList, maxSyncLists } from '#shared/domain/limits.ts'
import { syncDocumentErrors } from '#shared/domain/sync/document/document.ts'
import { syncDocumentFormat } from '#shared/domain/sync/document/format.ts'
import { isObject } from '#shared/json/is-object.ts'
import { checkSchema } from '#shared/json-schema/json-schema.ts'
import { seeded } from '../../../../support/load/random-json.ts'
import { mutatedDocument } from '../../../../support/sync/mutated-documents.ts'

const ajv = new Ajv({ strict: true, strictTypes: false })
const matches = ajv.compile(syncDocumentFormat)

test('the format for editors is itself valid draft-07', (t) => {
  t.true(new Ajv().validate(draft07.$id, syncDocumentFormat))
})

type Schema = { readonly [keyword: string]: unknown }

/** The schemas of all properties in a schema, by name. */
function propertiesIn(schema: Schema): [string, Schema][] {
  const own = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  const entries = isObject(schema.additionalProperties) ? propertiesIn(schema.additionalProperties) : []
  return [...own.flatMap(([name, one]) => [[name, one] as [string, Schema], ...propertiesIn(one)]), ...entries]
}

test('editors see the purpose of each property, its default and examples, all of which are valid', (t) => {
  const properties = propertiesIn(syncDocumentFormat)
  t.is(properties.length, 25)
  for (const [name, schema] of properties) {
    t.is(typeof schema.description, 'string', name)
    const shown = [...((schema.examples as unknown[]) ?? []), ...('default' in schema ? [schema.default] : [])]
    const without = ['$schema', 'lists', 'indexes', 'name'].includes(name)
    t.is(shown.length > 0, !without, name)
    for (const value of shown) t.true(new Ajv().validate(schema, value), `${name}: ${value}`)
  }
  t.true(matches(syncDocumentFormat.examples?.[0]))
  const defaults = properties.filter(([, schema]) => 'default' in schema).map(([name]) => name)
  t.false(defaults.includes('pointer') || defaults.includes('scope'), 'what a document has to say itself')
})

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`e${n}`, {}]))

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
  'too many lists': { lists: many(maxSyncLists + 1) },
  'too many indexes': { lists: { a: { indexes: many(maxIndexesPerList + 1) } } },
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

/** Whether the service accepts the document: by the rules of documents, and by those of the schemas in it. */
function isAccepted(document: unknown): boolean {
  const lists = Object(document).lists
  const schemas = isObject(lists) ? Object.values(lists).map((entry) => Object(entry).schema) : []
  const errors = schemas.filter(isObject).flatMap((schema) => checkSchema(JSON.stringify(schema), ''))
  return syncDocumentErrors(document).length + errors.length === 0
}

test('editors and the service agree on documents at the edges of the rules', (t) => {
  const random = seeded(1)
  const counts = { accepted: 0, rejected: 0 }
  for (let n = 0; n < 3_000; n++) {
    const document = mutatedDocument(random)
    const accepted = isAccepted(document)
    counts[accepted ? 'accepted' : 'rejected']++
    if (matches(document) !== accepted) t.fail(`accepted: ${accepted}; ${JSON.stringify(document).slice(0, 2_000)}`)
  }
  t.true(Math.min(counts.accepted, counts.rejected) > 500, JSON.stringify(counts))
})

const unsaid: Record<string, unknown> = {
  'lists whose names differ by case alone': { lists: { a: {}, A: {} } },
  'indexes whose names differ by case alone': { lists: { a: { indexes: { i: {}, I: {} } } } },
  'a schema that refers to another document': { lists: { a: { schema: { $ref: 'https://example.com/x' } } } },
  'a schema with a pattern that no linear-time engine runs': { lists: { a: { schema: { pattern: '(?=a)' } } } },
  'a schema of another dialect': { lists: { a: { schema: { $schema: 'https://example.com/' } } } },
}
for (const [title, document] of Object.entries(unsaid)) {
  test(`only the service rejects ${title}`, (t) => {
    t.true(matches(document))
    t.false(isAccepted(document))
  })
}
