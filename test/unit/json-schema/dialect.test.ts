import test from 'ava'
import { keywordWarnings } from '#shared/json-schema/dialect.ts'
import { checkSchema, compileSchema } from '#shared/json-schema/json-schema.ts'
import { isLightSchema } from '#shared/json-schema/quick-validator.ts'

const errors = (schema: unknown) =>
  checkSchema(JSON.stringify(schema), 'schema').map(({ path, message }) => `${path}: ${message}`)

test('a schema that names another draft is rejected with what to change', (t) => {
  for (const uri of ['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft-07/schema'])
    t.deepEqual(errors({ $schema: uri }), [])
  for (const $schema of ['x', ''])
    t.deepEqual(errors({ $schema }), ['schema.$schema: must be http://json-schema.org/draft-07/schema#, or absent'])
  const [newest = ''] = errors({ $schema: 'https://json-schema.org/draft/2020-12/schema' })
  t.regex(newest, /^schema\.\$schema: must be http:.*draft-07\/schema#, or absent: this is 2020-12\. .*prefixItems/)
  t.regex(errors({ $schema: 'http://json-schema.org/draft-04/schema#' })[0] ?? '', /this is draft-04\. .*\$id/)
  t.deepEqual(errors({ properties: { a: { $schema: 'urn:own' } } }), [
    'schema.properties.a.$schema: must be http://json-schema.org/draft-07/schema#, or absent',
  ])
  t.deepEqual(errors({ properties: { $schema: { type: 'string' } }, const: { $schema: 'urn:own' } }), [])
})

test('the schema of draft-07 resolves as a reference, as a whole and in part', (t) => {
  const uri = 'http://json-schema.org/draft-07/schema'
  const schema = { items: { $ref: `${uri}#` }, contains: { $ref: `${uri}#/definitions/nonNegativeInteger` } }
  t.deepEqual(errors({ items: { $ref: uri }, contains: { $ref: `${uri}#/properties/type` } }), [])
  t.deepEqual(errors(schema), [])
  t.false(isLightSchema(JSON.stringify(schema)))
  const validate = compileSchema(JSON.stringify({ items: { $ref: `${uri}#` } }))
  t.deepEqual(validate([{ type: 'string', minLength: 1 }, true]), [])
  t.deepEqual(
    validate([{ properties: { a: { minLength: -1 } } }]).map(({ pointer }) => pointer),
    ['/0/properties/a/minLength'],
  )
  t.is(errors({ $ref: `${uri}#/definitions/nowhere` }).length, 1)
  t.is(errors({ $ref: 'http://json-schema.org/draft-06/schema#' }).length, 1)
})

test('a keyword that draft-07 does not have gets one warning, with its first place and the alternative in draft-07', (t) => {
  const schema = {
    $defs: {},
    properties: { list: { prefixItems: [] }, other: { prefixItems: [], minContains: 1 } },
    dependentRequired: {},
    unevaluatedProperties: false,
  }
  const validates = 'which is not a keyword of draft-07 and validates nothing'
  t.deepEqual(keywordWarnings(schema), [
    `The schema has $defs, ${validates}; draft-07 has definitions.`,
    `The schema has dependentRequired, ${validates}; draft-07 has dependencies.`,
    `The schema has unevaluatedProperties, ${validates}.`,
    `The schema has prefixItems at properties.list, ${validates}; draft-07 has items with an array.`,
    `The schema has minContains at properties.other, ${validates}.`,
  ])
})

test('names that begin with x-, and names and values that are not keywords, have no warning', (t) => {
  const names = { $defs: {}, prefixItems: {} }
  t.deepEqual(
    keywordWarnings({ 'x-list': 'hosts', properties: names, const: names, default: names, enum: [names] }),
    [],
  )
  t.deepEqual(keywordWarnings({ $comment: 'a', readOnly: true, contentEncoding: 'base64', if: {}, examples: [] }), [])
})

test('warnings are limited, and say how many are left out', (t) => {
  const many = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`own${n}`, 1]))
  const warnings = keywordWarnings({ ...many, ['a'.repeat(5_000)]: 1 })
  t.is(warnings.length, 11)
  t.is(warnings.at(-1), 'The schema has 6 more names that are not keywords of draft-07.')
})
