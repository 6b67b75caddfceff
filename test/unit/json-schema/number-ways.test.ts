import test from 'ava'
import { compileSchema } from '#shared/json-schema/json-schema.ts'
import { compileQuickValidator } from '#shared/json-schema/quick-validator.ts'

/** The messages about a value, which is passed as text. */
function messages(schema: string, text: string): string[] {
  return compileSchema(schema)(JSON.parse(text), text).map(({ pointer, message }) => `${pointer} ${message}`)
}

const even = '9007199254740992'
const odd = '9007199254740993'
const beyond = '1e400'

const cases: [schema: string, valid: string[], invalid: string[]][] = [
  [`{"const": ${odd}}`, [odd, `${odd}.0`, '9007199254740993e0', '90071992547409930e-1'], [even, '9007199254740994', '"9007199254740993"']],
  [`{"const": ${even}}`, [even, '9007199254740992.00'], [odd]],
  ['{"const": 0.1}', ['0.1', '0.10', '1e-1'], ['0.1000000000000000000001']],
  [`{"const": {"a": [${odd}]}}`, [`{"a": [${odd}]}`], [`{"a": [${even}]}`, `{"a": ${odd}}`]],
  [`{"enum": ["a", ${odd}, [${even}]]}`, [odd, `[${even}]`, '"a"'], [even, `[${odd}]`, '"b"']],
  ['{"uniqueItems": true}', [`[${even}, ${odd}]`, `[{"a": ${even}}, {"a": ${odd}}]`, '[1e400, 1e401]', `[1, "1", ${odd}]`], [
    `[${odd}, ${odd}.0]`, `[{"a": ${odd}, "b": 1}, {"b": 1.0, "a": ${odd}}]`, '[1e400, 10e399]', `[${odd}, 1, 1.0]`,
  ]],
  [`{"minimum": ${odd}}`, [odd, '9007199254740994', beyond, 'null'], [even, '9007199254740992.9', '-1e400', '1']],
  [`{"maximum": ${even}}`, [even, '1', '-1e400'], [odd, '9007199254740992.1', beyond]],
  [`{"exclusiveMinimum": ${even}}`, [odd, '9007199254740992.1'], [even, '1']],
  [`{"exclusiveMaximum": ${odd}}`, [even], [odd, '9007199254740994']],
  ['{"maximum": 0.1}', ['0.1', '0.09999999999999999999999'], ['0.10000000000000000000001']],
  ['{"maximum": 1e400}', ['1e400', '9e399', '1'], ['1.1e400', '1e401']],
  ['{"multipleOf": 2}', [even, '1e400', '0'], [odd, '9007199254740992.5', '1e-400']],
  ['{"multipleOf": 0.01}', ['19.99', '90071992547409.93', '9007199254740993.01', '-0.01'], ['90071992547409.935', '9007199254740993.001']],
  [`{"multipleOf": ${odd}}`, [odd, '18014398509481986', '0', '9007199254740993000'], [even, '18014398509481984', '1']],
  ['{"multipleOf": 7e-3}', ['7e400', '49e-3'], ['1e400', '7e-4']],
  ['{"type": "integer"}', [odd, `${odd}.0`, '1e400', '1', '9007199254740993e1'], ['9007199254740992.5', '1e-400', '0.5', '"1"', '{}']],
  ['{"type": ["integer", "null"]}', [odd, 'null'], ['9007199254740992.5']],
  ['{"type": ["integer", "number"]}', ['9007199254740992.5'], []],
  [`{"not": {"const": ${odd}}}`, [even], [odd]],
  [`{"if": {"const": ${odd}}, "then": false}`, [even], [odd]],
  [`{"items": {"$ref": "#/definitions/a"}, "definitions": {"a": {"maximum": ${even}}}}`, [`[1, ${even}]`], [`[1, ${odd}]`]],
  [`{"properties": {"a": {"allOf": [{"maximum": ${even}}]}}}`, [`{"a": ${even}}`], [`{"a": ${odd}}`]],
  [`{"additionalProperties": {"maximum": ${even}}, "patternProperties": {"^x": {"minimum": ${odd}}}}`, [`{"a": ${even}, "x": ${odd}}`], [`{"a": ${odd}}`, `{"x": ${even}}`]],
  [`{"contains": {"const": ${odd}}}`, [`[${even}, ${odd}]`], [`[${even}]`]],
  [`{"propertyNames": {"maxLength": 1${'0'.repeat(20)}, "const": "a"}, "const": {"a": ${odd}}}`, [`{"a": ${odd}}`], [`{"b": ${odd}}`]],
] // biome-ignore format: a table

for (const [schema, valid, invalid] of cases) {
  test(`numbers have their decimal value for ${schema}`, (t) => {
    const quick = compileQuickValidator(schema)
    for (const text of [...valid, ...invalid]) {
      const expected = valid.includes(text)
      t.is(messages(schema, text).length === 0, expected, text)
      t.is(quick.matches(JSON.parse(text), text), expected, text)
    }
  })
}

test('an error shows the numbers of the schema as they were written', (t) => {
  const schema = `{"properties": {"a": {"minimum": ${odd}}, "b": {"const": ${odd}}, "c": {"enum": [1, ${odd}]}, "d": {"multipleOf": ${odd}},
    "e": {"exclusiveMaximum": 1.0000000000000000001}, "f": {"type": "integer"}}}`
  t.deepEqual(messages(schema, `{"a": 1, "b": 1, "c": 2, "d": 1, "e": 2, "f": 9007199254740992.5}`), [
    `/a must be >= ${odd}`,
    `/b must be ${odd}`,
    `/c must be one of 1, ${odd}`,
    `/d must be a multiple of ${odd}`,
    '/e must be < 1.0000000000000000001',
    '/f must be integer',
  ])
  t.deepEqual(
    messages('{"type": "integer", "maximum": 3}', '1.5'),
    ['must be integer'].map((text) => ` ${text}`),
  )
  t.deepEqual(messages('{"type": "integer", "maximum": 3}', `${odd}`), [' must be <= 3'])
})

/** Numbers that survive a round trip through a double, in many forms. */
const numbers = [
  '0',
  '-0',
  '1',
  '1.0',
  '10e-1',
  '2',
  '2.5',
  '0.5',
  '-3',
  '1e2',
  '100',
  '9007199254740992',
  '0.1',
  '0.3',
  '1e21',
  '1e-7',
]
const keywords = ['const', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']

test('both ways agree on numbers that doubles hold', (t) => {
  for (const keyword of keywords) {
    for (const limit of numbers) {
      if (keyword === 'multipleOf' && Number(limit) <= 0) continue
      const plain = `{"items": {"${keyword}": ${limit}}}`
      // A number that no double can represent, at a place that is never reached.
      const exact = `{"items": {"${keyword}": ${limit}}, "dependencies": {"never": {"const": ${odd}}}}`
      const text = `[${numbers.join()}]`
      t.deepEqual(messages(exact, text), messages(plain, text), plain)
    }
  }
  for (const schema of ['"type": "integer"', '"enum": [1, 2.5, [1.0]]', '"uniqueItems": true']) {
    for (const text of [
      `[${numbers.join()}]`,
      '[[1], [1.0]]',
      '[1, "1", true, null]',
      '[{"a": 1, "b": 2}, {"b": 2, "a": 1}]',
    ]) {
      const plain = `{"items": {${schema}}, ${schema.replace('integer', 'array')}}`
      const exact = plain.replace('{"items"', `{"dependencies": {"never": {"const": ${odd}}}, "items"`)
      t.deepEqual(messages(exact, text), messages(plain, text), plain)
    }
  }
})

test('comparing a number of a megabyte takes bounded time', (t) => {
  const long = '7'.repeat(1_000_000)
  for (const schema of [
    `{"multipleOf": ${'3'.repeat(100_000)}}`,
    '{"multipleOf": 7}',
    '{"minimum": 1}',
    '{"const": 1}',
    '{"uniqueItems": true}',
  ]) {
    for (const text of [long, `[${long}]`, `1e${long}`, `1e${'9'.repeat(900)}`])
      t.notThrows(() => messages(schema, text))
  }
})
