import test from 'ava'
import { mergeDeep, mergePatch } from '#shared/json/edit/merge.ts'

const deep: [claim: string, text: string, change: string, expected: string][] = [
  [
    'objects are merged member by member',
    '{"a":{"x":1.0,"y":2}}',
    '{"a":{"y":3,"z":4}}',
    '{"a":{"x":1.0,"y":3,"z":4}}',
  ],
  ['arrays are concatenated', '{"a":[1]}', '{"a":[2,[3]]}', '{"a":[1,2,[3]]}'],
  [
    'everything else is replaced',
    '{"a":1,"b":[1],"c":{"x":1}}',
    '{"a":"x","b":{"y":1},"c":null}',
    '{"a":"x","b":{"y":1},"c":null}',
  ],
  ['the merged values need not be objects', '[1]', '[2]', '[1,2]'],
  [
    'values that the merge does not reach keep their spelling',
    '{"\\u0061":1E400,"10":0,"9":1}',
    '{"b":1}',
    '{"\\u0061":1E400,"10":0,"9":1,"b":1}',
  ],
  ['a new key keeps its spelling', '{}', '{"\\u0061":1.0}', '{"\\u0061":1.0}'],
  ['a key is the same however it is spelled', '{"\\u0061":1}', '{"a":2}', '{"\\u0061":2}'],
]
for (const [claim, text, change, expected] of deep) test(claim, (t) => t.is(mergeDeep(text, change), expected))

// The examples of RFC 7396, appendix A.
const examples: [text: string, patch: string, expected: string][] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
]
for (const [text, patch, expected] of examples) {
  test(`${text} with the merge patch ${patch} is ${expected}`, (t) => t.is(mergePatch(text, patch), expected))
}

test('arrays of any length are concatenated', (t) => {
  const long = `[${'1,'.repeat(400_000)}1]`
  t.is(mergeDeep('[0]', long).length, long.length + 2)
})
