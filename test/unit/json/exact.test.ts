import test from 'ava'
import { isRawNumber, parseExact } from '#shared/json/exact.ts'

test('a number that a double cannot hold is printed as it was written', (t) => {
  const text = '{"a":[9007199254740993,1e400,-12345678901234567890.5],"__proto__":0.10000000000000000001}'
  t.is(JSON.stringify(parseExact(text)), text)
})

test('a number that a double holds is one number, however it is written', (t) => {
  const text = '[9007199254740992,1e2,100000000000000000000,0.1,-0,1.0000000000000000,5e-324]'
  t.deepEqual(parseExact(text), JSON.parse(text))
})

test('digits in strings and keys stay text', (t) => {
  const text = '{"9007199254740993":"9007199254740993","a\\"":"\\\\","b":"\\"1e400","c":1e400}'
  const parsed = Object(parseExact(text))
  t.is(JSON.stringify(parsed), text)
  t.true(isRawNumber(parsed.c))
  t.false(isRawNumber(parsed['9007199254740993']))
})
