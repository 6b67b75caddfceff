import { Ajv } from 'ajv'
import test from 'ava'
import { checkSchema, compileSchema } from '#shared/json-schema/json-schema.ts'
import { pick, seeded } from '../../support/load/random-json.ts'

/** `path: message` of every error. */
function errors(schema: unknown): string[] {
  return checkSchema(JSON.stringify(schema), 'schema').map(({ path, message }) => `${path}: ${message}`)
}

const leaves = 'must refer to an $id or a place in this schema: nothing else is fetched'

/** The definitions of a schema with the id `http://x/dir/root`; the `const` of a leaf shows which one a reference resolves to. */
const definitions = {
  plain: { const: 'plain' },
  file: { $id: 'file', const: 'file' },
  deep: {
    $id: 'deeper/deep',
    const: 'deep',
    definitions: { plain: { const: 'deep plain' }, file: { $id: 'file', const: 'deep file' }, named: { $id: '#name', const: 'deep name' } },
    'x-other': [{ const: 'no keyword' }],
  },
  elsewhere: { $id: 'https://Y:443/a%20b?q', const: 'elsewhere' },
  urn: { $id: 'urn:example:z', const: 'urn', definitions: { plain: { const: 'urn plain' } } },
  named: { $id: '#name', const: 'name' },
  withName: { $id: 'other#name', const: 'other name' },
  empty: { $id: '#', const: 'empty' },
} // biome-ignore format: a table

const targets: [$ref: string, leaf: string | null][] = [
  ['#/definitions/plain', 'plain'],
  ['root#/definitions/plain', 'plain'],
  ['http://x/dir/root#/definitions/plain', 'plain'],
  ['HTTP://X:80/dir/./root#/definitions/plain', 'plain'],
  ['file', 'file'],
  ['file#', 'file'],
  ['../dir/file', 'file'],
  ['//x/dir/file', 'file'],
  ['deeper/deep', 'deep'],
  ['deeper/deep#/definitions/plain', 'deep plain'],
  ['#/definitions/deep/definitions/plain', 'deep plain'],
  ['deeper/deep#/x-other/0', 'no keyword'],
  ['/dir/deeper/file', 'deep file'],
  ['#/definitions/deep/definitions/file', 'deep file'],
  ['deeper/deep#name', 'deep name'],
  ['https://y/a%20b?q', 'elsewhere'],
  ['urn:example:z', 'urn'],
  ['urn:example:z#/definitions/plain', 'urn plain'],
  ['#name', 'name'],
  ['#n%61me', 'name'],
  ['root#name', 'name'],
  ['other#name', 'other name'],
  ['other', 'other name'],
  ['#/definitions/empty', 'empty'],
  ['deep', null],
  ['plain', null],
  ['/definitions/plain', null],
  ['File', null],
  ['file?', null],
  ['urn:example:Z', null],
  ['http://x/dir/', null],
  ['file:///etc/passwd', null],
  ['http://[', null],
  ['https://json-schema.org/draft-06/schema#', null],
]

for (const [$ref, leaf] of targets) {
  test(`the reference "${$ref}" ${leaf === null ? 'is not in the schema and is rejected' : `resolves to ${leaf}`}`, (t) => {
    const schema = { $id: 'http://x/dir/root#', definitions, items: { $ref } }
    t.deepEqual(errors(schema), leaf === null ? [`schema.items.$ref: ${leaves}`] : [])
    if (leaf === null) return
    const validate = compileSchema(JSON.stringify(schema))
    t.deepEqual(validate([leaf]), [])
    t.is(validate(['none']).length, 1)
  })
}

test('without a surrounding absolute $id, an $id is relative to the schema', (t) => {
  const parts = { a: { $id: 'dir/a', items: { $ref: 'b' } }, b: { $id: 'dir/b', const: 1 } }
  t.deepEqual(errors({ definitions: parts, items: { $ref: './dir/a' }, not: { $ref: '/dir/b' } }), [])
  t.deepEqual(errors({ definitions: parts, items: { $ref: 'a' } }), [`schema.items.$ref: ${leaves}`])
})

test('an $id that is data, or next to a reference, is ignored', (t) => {
  const $id = 'http://x/a'
  const data = { enum: [{ $id }], const: { $id }, default: { $id }, examples: [{ $id }], properties: { $id: {} } }
  t.deepEqual(errors({ ...data, definitions: { a: { $id }, b: { $id, $ref: '#' } } }), [])
  t.deepEqual(errors({ ...data, not: { $ref: $id } }), [`schema.not.$ref: ${leaves}`])
  t.deepEqual(errors({ definitions: { a: { $id, $ref: '#/definitions/b' }, b: {} }, not: { $ref: $id } }), [
    `schema.not.$ref: ${leaves}`,
  ])
})

test('an $id is unique in a schema', (t) => {
  t.deepEqual(
    errors({ $id: 'http://x/a', definitions: { a: { $id: 'b' }, b: { properties: { c: { $id: '/b#' } } } } }),
    ['schema.definitions.b.properties.c.$id: must be unique: definitions.a has the same'],
  )
  t.deepEqual(errors({ $id: 'http://x/a', not: { $id: 'a' } }), [
    'schema.not.$id: must be unique: the whole schema has the same',
  ])
  t.deepEqual(errors({ not: { $id: '#a' }, if: { $id: '#a' }, else: { $id: 'other', not: { $id: '#a' } } }), [
    'schema.if.$id: must be unique: not has the same',
  ])
  const places = { not: { $id: '#/not' }, if: { $id: '#/not' }, else: { $id: '#' }, items: { $id: '#' } }
  t.deepEqual(errors(places), [])
})

test('an $id is a URI of at most 2,048 characters, however long those are that it is relative to', (t) => {
  const message = 'must be a URI of at most 2048 characters'
  const long = `http://x/${'a/'.repeat(1_019)}`
  t.deepEqual(errors({ $id: long, not: { $id: 'b' } }), [])
  t.deepEqual(errors({ $id: long, not: { $id: 'bc' } }), [`schema.not.$id: ${message}`])
  t.deepEqual(errors({ $id: `${long}bc` }), [`schema.$id: ${message}`])
  t.deepEqual(errors({ $id: 'http://[' }), [`schema.$id: ${message}`])
  t.deepEqual(errors({ $id: 'urn:x', not: { $id: 'relative' } }), [`schema.not.$id: ${message}`])
  t.deepEqual(errors({ $id: 5 }), ['schema.$id: must be string'])
})

test('an unused definition may not leave the schema either', (t) => {
  t.deepEqual(errors({ definitions: { a: { items: { $ref: 'x' } } } }), [`schema.definitions.a.items.$ref: ${leaves}`])
})

test('a reference must point to a schema', (t) => {
  t.regex(
    errors({ not: { $ref: '#/definitions' }, definitions: { a: 1 } }).join(),
    /definitions.a: must be object or boolean/,
  )
  t.deepEqual(errors({ not: { $ref: '#/title' }, title: 'A' }), ['schema.not.$ref: does not refer to a schema'])
  t.deepEqual(errors({ not: { $ref: '#/x/y' }, x: { y: { type: 7 } } }).length, 1)
  for (const $ref of ['#/%', '#/~2', '#nobody', '#/constructor', '#/not/$ref/length']) {
    t.deepEqual(errors({ not: { $ref } }), ['schema.not.$ref: does not resolve'], $ref)
  }
})

test('circular references that do not go deeper into the value are rejected', (t) => {
  const circle = /refers to itself/
  t.regex(errors({ $ref: '#' }).join(), circle)
  t.regex(errors({ allOf: [{ $ref: '#' }] }).join(), circle)
  t.regex(
    errors({ not: { $ref: '#/definitions/a' }, definitions: { a: { anyOf: [{ if: { $ref: '#' } }] } } }).join(),
    circle,
  )
  t.regex(errors({ $id: 'a', not: { $ref: 'a' } }).join(), circle)
  t.regex(errors({ $ref: '#n', definitions: { n: { $id: '#n', not: { $ref: '#n' } } } }).join(), circle)
  t.regex(
    errors({
      not: { $ref: 'a' },
      definitions: { a: { $id: 'a', not: { $ref: 'b' } }, b: { $id: 'b', not: { $ref: 'a' } } },
    }).join(),
    circle,
  )
  t.deepEqual(errors({ $id: 'a', items: { $ref: 'a' } }), [])
  t.deepEqual(errors({ items: { $ref: '#' }, additionalProperties: { $ref: '#' }, contains: { $ref: '#' } }), [])
})

test('references resolve as in ajv, whatever the names around them', (t) => {
  const random = seeded(7)
  const seen = { resolved: 0, rejected: 0 }
  for (let round = 0; round < 300; round++) {
    const { schema, leaves } = randomDocument(random)
    const expected = ajvLeaves(schema, leaves)
    const text = JSON.stringify(schema)
    t.is(errors(schema).length === 0, expected !== null, text)
    if (expected !== null) {
      const validate = compileSchema(text)
      t.deepEqual(
        leaves.filter((leaf) => validate({ found: leaf }).length === 0),
        expected,
        text,
      )
    }
    seen[expected === null ? 'rejected' : 'resolved']++
  }
  t.true(seen.resolved > 50 && seen.rejected > 50, JSON.stringify(seen))
})

type Part = Record<string, unknown>

const ids = ['a', 'b', 'dir/a', 'dir/b', '../a', '/dir/c', 'http://y/a', 'http://y/dir/b', '#n', '#m'] as const
const locations = ['', '', '', 'a', 'b', 'dir/a', '/dir/c', 'http://y/a', 'http://x/dir/a'] as const

/** Nested schemas, each with its own `const` and perhaps an `$id`; one of them has a reference. */
function randomDocument(random: () => number): { schema: Part; leaves: string[] } {
  const parts: { part: Part; pointer: string }[] = []
  const grow = (pointer: string, depth: number): Part => {
    const part: Part = { const: `leaf ${parts.length}` }
    parts.push({ part, pointer })
    if (random() < 0.4) part.$id = pick(random, ids)
    const names = depth === 0 ? [] : ['p', 'q'].filter(() => random() < 0.8)
    part.definitions = Object.fromEntries(
      names.map((name) => [name, grow(`${pointer}/definitions/${name}`, depth - 1)]),
    )
    return part
  }
  const definitions = { p: grow('/definitions/p', 2), q: grow('/definitions/q', 1) }
  const schema: Part = { $id: 'http://x/dir/root', definitions }
  const { part, pointer } = pick(random, parts as [(typeof parts)[0]])
  const fragment = pick(random, ['', '#', '#/definitions/p', '#/definitions/p', '#/definitions/q', '#n'])
  part.properties = { found: { $ref: pick(random, locations) + fragment } }
  schema.properties = { found: { $ref: `#${pointer}/properties/found` } }
  return { schema, leaves: parts.map((_, n) => `leaf ${n}`) }
}

/** The leaves to which ajv resolves the reference, or null if it rejects the schema. */
function ajvLeaves(schema: Part, leaves: readonly string[]): string[] | null {
  try {
    const validate = new Ajv({ strict: false, logger: false }).compile(schema)
    return leaves.filter((leaf) => validate({ found: leaf }))
  } catch {
    return null
  }
}
