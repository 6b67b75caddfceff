import test from 'ava'
import { sameJson } from '#shared/json/compare/equality.ts'

const pairs: [left: string, right: string, same: boolean][] = [
  ['{"a":1,"b":{"c":2,"d":3}}', '{"b":{"d":3,"c":2},"a":1}', true],
  ['{"a":1.0}', '{"a":1}', true],
  ['{"a":100}', '{"a":1e2}', true],
  ['9007199254740993', '9007199254740992', false],
  ['9007199254740993', '9007199254740993.00', true],
  ['[9007199254740993]', '[90071992547409930e-1]', true],
  ['1e400', '1e401', false],
  ['1e400', '10e399', true],
  ['0.1', '0.1000000000000000055511151231257827', false],
  ['-0.0', '0', true],
  ['9007199254740993', '"9007199254740993"', false],
  ['[9007199254740993]', '[{"rawJSON":"9007199254740993"}]', false],
  ['{"__proto__":9007199254740993}', '{"__proto__":9007199254740992}', false],
  ['"\\u0061"', '"a"', true],
  ['[1,2]', '[2,1]', false],
  ['[]', '{}', false],
  ['{}', '[]', false],
  ['null', '{}', false],
  ['{"a":null}', '{}', false],
  ['{"a":1}', '{"b":1}', false],
  ['{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}', false],
  ['{"__proto__":{"a":1}}', '{}', false],
  ['{"toString":1}', '{"b":1}', false],
  ['[1]', '[1,1]', false],
]
for (const [left, right, same] of pairs) {
  test(`${left} and ${right} mean ${same ? 'the same' : 'different things'}`, (t) => {
    t.is(sameJson(left, right), same)
    t.is(sameJson(right, left), same)
  })
}
