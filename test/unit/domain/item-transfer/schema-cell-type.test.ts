import test from 'ava'
import type { CellType } from '#shared/domain/item-transfer/cell.ts'
import { createCellTypes } from '#shared/domain/item-transfer/schema-cell-type.ts'

const schema = {
  definitions: {
    amount: { $id: '#amount', type: 'number' },
    price: { properties: { value: { $ref: '#/definitions/amount' }, unit: { enum: ['g', 'ml'] } } },
    nothing: { type: 'null' },
    circle: { anyOf: [{ $ref: '#/definitions/circle' }, { type: 'boolean' }] },
  },
  type: 'object',
  properties: {
    price: { $ref: '#/definitions/price' },
    anchored: { $ref: '#amount' },
    circle: { $ref: '#/definitions/circle' },
    broken: { $ref: '#/definitions/missing' },
    grade: { enum: [1, 2, null] },
    mark: { enum: ['a', 1] },
    yes: { const: true },
    version: { const: '7' },
    zip: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    size: { oneOf: [{ type: 'number' }, { type: 'null' }] },
    flagOrCount: { oneOf: [{ type: 'integer' }, { type: 'boolean' }] },
    any: { anyOf: [{ type: 'number' }, {}] },
    day: { allOf: [{ type: 'string' }, { type: 'string', format: 'date' }] },
    count: { allOf: [{ minimum: 1 }, { $ref: '#/definitions/amount' }] },
    tags: { type: 'array', items: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
    pair: { items: [{ type: 'boolean' }], additionalItems: { type: 'number' } },
    map: { additionalProperties: { type: 'number' } },
    list: { type: ['array', 'null'] },
    referredNull: { anyOf: [{ type: 'number' }, { $ref: '#/definitions/nothing' }] },
    listedNull: { oneOf: [{ anyOf: [{ enum: [null] }, false] }, { type: ['null'] }, { type: 'boolean' }] },
    onlyNull: { enum: [null] },
    patterns: {
      properties: { own: { type: 'boolean' } },
      patternProperties: { '^n_': { type: 'number' }, _n$: { type: 'integer' } },
      additionalProperties: false,
    },
    patternOrText: { patternProperties: { '^n_': { type: 'number' } }, additionalProperties: { type: 'string' } },
    patternOrAny: { patternProperties: { '^n_': { type: 'number' } } },
    branched: JSON.parse('{"if":{"minimum":1},"then":{"type":"integer"},"else":{"type":["number","null"]}}'),
    halfBranched: JSON.parse('{"if":{"minimum":1},"then":{"type":"integer"}}'),
  },
  allOf: [{ properties: { inherited: { type: 'integer' } } }],
  oneOf: [
    { properties: { kind: { const: 'a' }, extent: { type: 'number' } } },
    { properties: { kind: { const: 'b' }, extent: { type: 'number' } } },
  ],
}

const types: Record<string, CellType | null> = {
  '/price': null,
  '/price/value': 'number',
  '/price/unit': 'text',
  '/anchored': 'number',
  '/circle': null,
  '/broken': null,
  '/grade': 'number',
  '/mark': 'text',
  '/yes': 'boolean',
  '/version': 'text',
  '/zip': 'text',
  '/size': 'number',
  '/flagOrCount': 'json',
  '/any': null,
  '/day': 'date',
  '/count': 'number',
  '/tags': 'json',
  '/tags/3': 'number',
  '/pair/0': 'boolean',
  '/pair/1': 'number',
  '/map/x': 'number',
  '/map/7': 'number',
  '/list': 'json',
  '/referredNull': 'number',
  '/listedNull': 'boolean',
  '/onlyNull': null,
  '/patterns/n_1': 'number',
  '/patterns/own': 'boolean',
  '/patterns/7': 'number',
  '/patternOrText/n_1': 'text',
  '/patternOrAny/n_1': null,
  '/branched': 'number',
  '/halfBranched': null,
  '/inherited': 'number',
  '/kind': 'text',
  '/extent': 'number',
  '/unknown': null,
  '': 'json',
}

test('the type of a column follows from everything that the schema says about its pointer', (t) => {
  const typeAt = createCellTypes(schema)
  for (const [pointer, type] of Object.entries(types)) t.is(typeAt(pointer), type, pointer)
})

test('an invalid or empty schema says nothing about a column', (t) => {
  for (const one of [null, true, {}, { anyOf: [] }, { type: 'string', enum: [1] }])
    t.is(createCellTypes(one)(''), null, JSON.stringify(one))
})
