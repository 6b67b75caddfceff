import test from 'ava'
import { compileSchema } from '#shared/json-schema/json-schema.ts'

/** Whether each of these JSON texts matches the schema. */
function verdicts(schema: string, values: readonly string[]): boolean[] {
  const validate = compileSchema(schema)
  return values.map((value) => validate(JSON.parse(value)).length === 0)
}

const cases: [claim: string, schema: string, valid: string[], invalid: string[]][] = [
  ['type', '{"type":["string","null"]}', ['"a"', 'null'], ['1', '{}', '[]', 'true']],
  ['1.0 is an integer', '{"type":"integer"}', ['1', '1.0', '-1e3'], ['1.5', '"1"']],
  ['a number beyond a double is a number and an integer', '{"type":["integer"]}', ['1e400', '-1e400'], []],
  ['a number beyond a double is beyond every limit', '{"maximum":1e300}', ['1e300', '-1e400'], ['1e400']],
  ['a limit may be beyond a double', '{"maximum":1e400,"exclusiveMinimum":-1e400}', ['1e400', '1'], ['-1e400']],
  ['multiples are counted in decimals', '{"multipleOf":0.01}', ['19.99', '1e300', '0', '-0.07'], ['19.995', '1e400']],
  ['small multiples too', '{"multipleOf":0.0001}', ['0.0075'], ['0.00751']],
  ['multiples of big numbers', '{"multipleOf":0.123456789}', [], ['1e308']],
  ['length is counted in code points', '{"minLength":2,"maxLength":2}', ['"😀😀"'], ['"😀"', '"😀ab"']],
  ['items as one schema', '{"items":{"type":"string"}}', ['["a"]', '[]', '{}'], ['["a",1]']],
  ['items as a list', '{"items":[{"const":1}],"additionalItems":{"const":2}}', ['[1,2,2]', '[]'], ['[2]', '[1,1]']],
  ['additionalItems next to one schema does nothing', '{"items":{},"additionalItems":false}', ['[1,2]'], []],
  ['contains', '{"contains":{"minimum":5}}', ['[1,6]'], ['[1]', '[]']],
  ['uniqueItems by meaning', '{"uniqueItems":true}', ['[1,"1",true,[1],{"a":1}]'], ['[{"a":1,"b":2},{"b":2,"a":1.0}]', '["__proto__","__proto__"]', '[0,-0]']],
  ['uniqueItems: false does nothing', '{"uniqueItems":false}', ['[1,1]'], []],
  ['const by meaning', '{"const":{"a":[1,{"b":null}]}}', ['{"a":[1.0,{"b":null}]}'], ['{"a":[1,{"b":0}]}', '{}', 'null']],
  ['enum', '{"enum":["a",1,null,{"x":[]}]}', ['"a"', '1.0', 'null', '{"x":[]}'], ['"b"', '2', '{}', '{"x":{}}', '"null"']],
  ['keys that objects inherit are data in enum', '{"enum":[{"valueOf":1,"constructor":{}}]}', ['{"constructor":{},"valueOf":1}'], ['{"valueOf":2}']],
  ['properties with names that objects inherit', '{"properties":{"constructor":{"type":"number"},"toString":{"type":"number"}}}', ['{}', '[]', '{"constructor":1}'], ['{"toString":"a"}']],
  ['required names that objects inherit', '{"required":["constructor","__proto__"]}', ['{"constructor":1,"__proto__":2}'], ['{}', '{"__proto__":1}', '{"constructor":1}']],
  ['a required property without a name', '{"required":["","a"]}', ['{"":1,"a":2}'], ['{"a":1}']],
  ['a property __proto__', '{"properties":{"__proto__":{"type":"string"}},"additionalProperties":false}', ['{"__proto__":"a"}', '{}'], ['{"__proto__":1}', '{"x":1}']],
  ['a pattern __proto__', '{"patternProperties":{"__proto__":false,"^a":true},"additionalProperties":false}', ['{"a":1}'], ['{"__proto__":1}', '{"x__proto__":1}']],
  ['__proto__ under both', '{"properties":{"__proto__":{"minimum":1}},"patternProperties":{"^__proto__$":{"maximum":3}}}', ['{"__proto__":2}'], ['{"__proto__":0}', '{"__proto__":4}']],
  ['propertyNames', '{"propertyNames":{"maxLength":2}}', ['{"ab":1}'], ['{"abc":1}', '{"__proto__":1}']],
  ['dependencies as names', '{"dependencies":{"a":["b"],"__proto__":["c"]}}', ['{"b":1}', '{"a":1,"b":2}'], ['{"a":1}', '{"__proto__":1}']],
  ['dependencies as schemas', '{"dependencies":{"a":{"required":["b"]},"x":false}}', ['{"a":1,"b":1}', '{}', '1', '["a"]'], ['{"a":1}', '{"x":1}']],
  ['if, then, else', '{"if":{"minimum":5},"then":{"multipleOf":2},"else":{"const":1}}', ['6', '1'], ['7', '2']],
  ['not and oneOf', '{"not":{"const":3},"oneOf":[{"minimum":2},{"maximum":4}]}', ['1', '5'], ['3', '2']],
  ['true and false as schemas', '{"properties":{"a":true,"b":false}}', ['{"a":1}'], ['{"b":1}']],
  ['format is asserted', '{"format":"email"}', ['"a@example.com"', '1'], ['"a"']],
  ['a format that draft-07 does not know does nothing', '{"format":"markdown"}', ['"# a"'], []],
  ['keywords of other dialects do nothing', '{"type":"string","nullable":true,"$async":true,"id":7,"minContains":2,"prefixItems":[false],"$anchor":"1"}', ['"a"'], ['null']],
  ['a reference to the root', '{"properties":{"a":{"$ref":"#"}},"additionalProperties":false}', ['{"a":{"a":{}}}'], ['{"a":{"b":1}}']],
  ['a reference to a place that is not a keyword', '{"a~b":{"c/d":{"%":{"const":1}}},"$ref":"#/a~0b/c~1d/%25"}', ['1'], ['2']],
  ['a reference by name', '{"allOf":[{"$ref":"#n"}],"definitions":{"a":{"$id":"#n","const":1}}}', ['1'], ['2']],
  ['# is the nearest schema with an $id', '{"definitions":{"a":{"const":1},"b":{"$id":"http://x/b","$ref-target":1,"definitions":{"a":{"const":2}},"allOf":[{"$ref":"#/definitions/a"}]}},"allOf":[{"$ref":"#/definitions/b"}]}', ['2'], ['1']],
  ['next to a reference nothing else counts', '{"properties":{"a":{"$ref":"#/definitions/s","maxLength":1}},"definitions":{"s":{"type":"string"}}}', ['{"a":"abc"}'], ['{"a":1}']],
  ['a reference to a boolean', '{"items":{"$ref":"#/definitions/no"},"definitions":{"no":false}}', ['[]'], ['[1]']],
  ['a property named $ref is not a reference', '{"properties":{"$ref":{"type":"string"}}}', ['{"$ref":"a"}'], ['{"$ref":1}']],
  ['a const that looks like a schema is data', '{"const":{"$ref":"#/nowhere"}}', ['{"$ref":"#/nowhere"}'], ['1']],
  ['definitions named __proto__', '{"$ref":"#/definitions/__proto__","definitions":{"__proto__":{"const":1}}}', ['1'], ['2']],
] // biome-ignore format: a table

for (const [claim, schema, valid, invalid] of cases) {
  test(`draft-07: ${claim}`, (t) => {
    t.deepEqual(verdicts(schema, [...valid, ...invalid]), [...valid.map(() => true), ...invalid.map(() => false)])
  })
}

test('the order of branches, properties and references does not change the result', (t) => {
  const names = Array.from({ length: 250 }, (_, n) => `p${n}`)
  const properties = Object.fromEntries(names.map((name, n) => [name, { const: n }]))
  const many = { properties, additionalProperties: false, allOf: names.map((_, n) => ({ maxProperties: 250 + n })) }
  const value = Object.fromEntries(names.map((name, n) => [name, n]))
  t.deepEqual(
    verdicts(
      JSON.stringify(many),
      [value, { ...value, p249: 0 }, { ...value, x: 1 }].map((v) => JSON.stringify(v)),
    ),
    [true, false, false],
  )
  const any = { anyOf: names.map((_, n) => ({ const: n })) }
  t.deepEqual(verdicts(JSON.stringify(any), ['0', '249', '250']), [true, true, false])
})
