import test from 'ava'
import { schemaTypes } from '#shared/domain/schema/types.ts'

/** The types of a schema named `T`, without the surrounding declarations. */
function typesOf(schema: unknown): string {
  let names = 0
  return schemaTypes('T', schema, (wanted) => (wanted === 'T' ? `T${++names}` : wanted))
    .join('')
    .trimEnd()
}

const type = (schema: unknown) =>
  typesOf(schema)
    .replace(/^(\/\*\*.*\*\/\n)?export type T = /, '')
    .replaceAll(/\n */g, ' ')

const converted: [schema: unknown, type: string][] = [
  [true, 'unknown'],
  [{}, 'unknown'],
  [false, 'never'],
  [{ type: 'string', minLength: 3 }, 'string'],
  [{ type: ['integer', 'number', 'null'] }, 'number | null'],
  [{ type: [] }, 'never'],
  [{ const: 'a"b' }, '"a\\"b"'],
  [{ const: null }, 'null'],
  [{ enum: ['a', 1, null, { b: [true] }] }, '"a" | 1 | null | {"b":[true]}'],
  [{ type: 'string', enum: ['a', 1, null] }, '"a"'],
  [{ type: 'string', const: 1 }, 'never'],
  [{ type: 'array' }, 'unknown[]'],
  [{ items: { type: ['string', 'null'] } }, '(string | null)[]'],
  [{ items: false }, 'never[]'],
  [{ items: [{ type: 'string' }, { type: 'number' }], minItems: 1 }, '[string, number?, ...unknown[]]'],
  [{ items: [{ type: ['string', 'null'] }], additionalItems: false }, '[(string | null)?]'],
  [{ items: [], additionalItems: { type: 'number' } }, '[...number[]]'],
  [{ type: 'object' }, 'Record<string, unknown>'],
  [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
  [{ additionalProperties: { type: 'number' } }, '{ [name: string]: number }'],
  [{ patternProperties: { '^x': { type: 'number' } }, additionalProperties: false }, 'Record<string, unknown>'],
  [{ properties: { a: { type: 'string' }, b: true }, required: ['a', 'c'] }, '{ a: string b?: unknown c: unknown }'],
  [{ properties: { a: { type: 'string' } }, additionalProperties: true }, '{ a?: string [name: string]: unknown }'],
  [{ properties: { a: { type: 'string' } }, additionalProperties: false }, '{ a?: string }'],
  [{ properties: { 'a-b': true, '1': true, $x: true } }, '{ "1"?: unknown "a-b"?: unknown $x?: unknown }'],
  [
    JSON.parse('{"properties":{"__proto__":{"type":"string"}},"required":["constructor"]}'),
    '{ __proto__?: string constructor: unknown }',
  ],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'string' }] }, 'string | number'],
  [{ oneOf: [{ type: 'string' }, {}] }, 'unknown'],
  [{ anyOf: [false, { type: 'string' }] }, 'string'],
  [{ type: 'string', allOf: [{}, { enum: ['a', 'b'] }] }, 'string & ("a" | "b")'],
  [{ allOf: [{ type: 'string' }, false] }, 'never'],
  [
    { properties: { a: true }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    '{ a?: unknown } & ({ a: unknown } | { b: unknown })',
  ],
  [{ not: { type: 'string' } }, 'unknown /* not */'],
  [{ if: {}, dependencies: {} }, 'unknown /* if, dependencies */'],
  [{ type: 'string', not: { const: '' } }, 'string'],
  [{ type: 'string', nullable: true }, 'string'],
  [{ $ref: 'https://example.com/other.json' }, 'unknown /* $ref */'],
  [{ $ref: '#/definitions/gone' }, 'unknown /* $ref */'],
  [{ $ref: '#anchor' }, 'unknown /* $ref */'],
  [{ $ref: '#/%E0%A4%A' }, 'unknown /* $ref */'],
]

test('what a schema says about types is TypeScript', (t) => {
  for (const [schema, expected] of converted) t.is(type(schema), expected, JSON.stringify(schema))
})

test('a referenced schema has a named type, even if it refers to itself', (t) => {
  const schema = {
    properties: {
      steps: { items: { $ref: '#/definitions/a%20step' } },
      next: { $ref: '#' },
      same: { $ref: '#/definitions/a step' },
    },
    definitions: {
      'a step': { description: 'One step.', properties: { next: { $ref: '#/definitions/a step' } } },
      unused: true,
    },
  }
  t.is(
    typesOf(schema),
    `export type T = {
  steps?: TAStep[]
  next?: T
  same?: TAStep
}
/** One step. */
export type TAStep = {
  next?: TAStep
}`,
  )
})

test('a record of itself is a type that can refer to itself', (t) => {
  const tree = {
    definitions: { tree: { additionalProperties: { $ref: '#/definitions/tree' } } },
    $ref: '#/definitions/tree',
  }
  t.is(typesOf(tree), 'export type T = TTree\nexport type TTree = { [name: string]: TTree }')
  const deep = { anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: { $ref: '#' } }] }
  t.is(typesOf(deep), 'export type T = string | { [name: string]: T }')
})

test('inside another $id a reference is not followed, because it means another place', (t) => {
  const definitions = { x: { $id: 'https://example.com/x', definitions: { y: true } } }
  t.is(
    type({ $id: 'https://example.com/', $ref: '#/definitions/y', definitions: { y: { type: 'string' } } }),
    'TY export type TY = string',
  )
  t.regex(type({ properties: { a: { $ref: '#/definitions/x' } }, definitions }), /a\?: unknown \/\* \$ref \*\//)
})

test('descriptions are doc comments, and no text can end one early', (t) => {
  const described = { properties: { a: { description: 'One */ alert() /*\nTwo\u202e\r\n', type: 'string' } } }
  t.is(
    typesOf(described),
    `export type T = {
  /**
   * One *\\/ alert() /*
   * Two
   *
   */
  a?: string
}`,
  )
})
