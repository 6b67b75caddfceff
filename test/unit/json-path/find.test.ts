import test from 'ava'
import { valueFinder } from '#shared/json-path/find.ts'
import { parseJsonPath } from '#shared/json-path/parse.ts'

const find = (path: string, text: string) => valueFinder(parseJsonPath(path))(text)

const shop =
  '{"books":[{"by":"Rees","title":"A","price":8.95},{"by":"Waugh","title":"B","price":12.99},' +
  '{"by":"Melville","title":"C","isbn":"0-5","price":8.99},{"by":"Tolkien","title":"D","isbn":"0-3","price":22.99}],' +
  '"bike":{"price":399}}'
const mixed =
  '{"10":1.0,"2":9007199254740993,"é":1e400,"l":[3,-0,[4,{"2":null}],"\\u0061\\ud83d\\ude00"],"o":{"x":{},"y":[]}}'
const filtered = '{"a":[3,5,1,{"b":"j"},{"b":"k"},{"b":{}},{"b":"kilo"}],"o":{"p":1,"q":2,"t":{"u":6}},"e":"f"}'
const comparisons = '{"obj":{"x":"y"},"arr":[2,3]}'

const cases: [path: string, text: string, found: string][] = [
  ['$', '5', '[5]'],
  ['$', mixed, `[${mixed}]`],
  ['$.*', '5', '[]'],
  ['$..*', '"x"', '[]'],
  ['$.books[*].by', shop, '["Rees","Waugh","Melville","Tolkien"]'],
  ['$..price', shop, '[8.95,12.99,8.99,22.99,399]'],
  ['$.books[-1].title', shop, '["D"]'],
  ['$.books[0,1].title', shop, '["A","B"]'],
  ['$.books[:2].title', shop, '["A","B"]'],
  ['$..[?@.isbn].title', shop, '["C","D"]'],
  ['$..[?@.price<10].title', shop, '["A","C"]'],
  ['$.books[?@.price > $.bike.price]', shop, '[]'],
  // Members are in the order of the text, and numbers as they are written.
  ['$.*', mixed, '[1.0,9007199254740993,1e400,[3,-0,[4,{"2":null}],"\\u0061\\ud83d\\ude00"],{"x":{},"y":[]}]'],
  ["$['2','10','2']", mixed, '[9007199254740993,1.0,9007199254740993]'],
  ["$..['2']", mixed, '[9007199254740993,null]'],
  ['$.é', mixed, '[1e400]'],
  ['$.l.*', mixed, '[3,-0,[4,{"2":null}],"\\u0061\\ud83d\\ude00"]'],
  ['$.l..*', mixed, '[3,-0,[4,{"2":null}],"\\u0061\\ud83d\\ude00",4,{"2":null},null]'],
  ['$.l..[0]', mixed, '[3,4]'],
  ['$..[1]', '[[1,2],[3,[4,5]]]', '[[3,[4,5]],2,[4,5],5]'],
  ['$.l[0,0]', mixed, '[3,3]'],
  ['$.l[4]', mixed, '[]'],
  ['$.l[-5]', mixed, '[]'],
  ['$.l.length', mixed, '[]'],
  ['$.o[0]', mixed, '[]'],
  ['$.o.*', mixed, '[{},[]]'],
  ["$['a\\u0062\"']", '{"ab\\"":1,"a\\u0062\\u0022c":2}', '[1]'],
  ["$['a\\\\u0062']", '{"a\\u0062":1,"a\\\\u0062":2}', '[2]'],
  ['$.toString', '{}', '[]'],
  ['$.__proto__', '{"__proto__":1}', '[1]'],
  ['$.a', '[{"a":1}]', '[]'],
  ['$..a..b', '{"a":{"a":{"b":1}}}', '[1,1]'],
  ['$..[0,-1]', '[[1,2]]', '[[1,2],[1,2],1,2]'],
  // Slices.
  ...(
    [
      ['1:3', '[1,2]'],
      ['5:', '[5,6]'],
      ['1:5:2', '[1,3]'],
      ['5:1:-2', '[5,3]'],
      ['::-1', '[6,5,4,3,2,1,0]'],
      [':', '[0,1,2,3,4,5,6]'],
      ['-3:-1', '[4,5]'],
      ['-100:2', '[0,1]'],
      ['100:1:-3', '[6,3]'],
      ['-1:-100:-4', '[6,2]'],
      [':2:-2', '[6,4]'],
      ['3::-1', '[3,2,1,0]'],
      ['1:5:0', '[]'],
      ['5:2', '[]'],
      ['2:5:-1', '[]'],
      ['9007199254740991:', '[]'],
      ['::9007199254740991', '[0]'],
    ] as const
  ).map(([slice, found]): [string, string, string] => [`$[${slice}]`, '[0,1,2,3,4,5,6]', found]),
  ['$[1:1]', '{"1":2}', '[]'],
  // Filters.
  ["$.a[?@.b == 'kilo']", filtered, '[{"b":"kilo"}]'],
  ["$.a[?(@.b == 'kilo')]", filtered, '[{"b":"kilo"}]'],
  ['$.a[?@>3.5]', filtered, '[5]'],
  ['$.a[?@.b]', filtered, '[{"b":"j"},{"b":"k"},{"b":{}},{"b":"kilo"}]'],
  ['$[?@.*]', filtered, `[${filtered.slice(5, 54)},{"p":1,"q":2,"t":{"u":6}}]`],
  ['$.a[?@<2 || @.b == "k"]', filtered, '[1,{"b":"k"}]'],
  ['$.o[?@>1 && @<4]', filtered, '[2]'],
  ['$.o[?@.u || @.x]', filtered, '[{"u":6}]'],
  ['$.a[?@.b == $.x]', filtered, '[3,5,1]'],
  ['$.a[?@ == @]', filtered, filtered.slice(5, 54)],
  ['$.a[?match(@.b, "[jk]")]', filtered, '[{"b":"j"},{"b":"k"}]'],
  ['$.a[?search(@.b, "[jk]")]', filtered, '[{"b":"j"},{"b":"k"},{"b":"kilo"}]'],
  ['$[?@[?@>1]]', '[[1],[2],[3,0],1,{"a":2}]', '[[2],[3,0],{"a":2}]'],
  ['$[?!@.a]', '[{"a":null},{"a":false},{},1]', '[{},1]'],
  ['$[?@.a||!@.b&&@.c]', '[{"b":1,"c":1},{"c":1},{"a":1,"b":1}]', '[{"c":1},{"a":1,"b":1}]'],
  ['$[?count(@.*)==2]', '[[1,2],{"a":1},{"a":1,"b":2},"ab"]', '[[1,2],{"a":1,"b":2}]'],
  ['$[?length(@)==2]', '[[1,2],{"a":1},{"a":1,"b":2},"ab","😀😀","a",2,null]', '[[1,2],{"a":1,"b":2},"ab","😀😀"]'],
  ['$[?length(@.a)==length(@.b)]', '[{"a":1},{"a":"x","b":"y"},{"a":"x"}]', '[{"a":1},{"a":"x","b":"y"}]'],
  ['$[?value(@..c)==1]', '[{"a":{"c":1}},{"c":1,"a":{"c":1}},{}]', '[{"a":{"c":1}}]'],
  ['$[?value(@.a)==value(@.b)]', '[{"a":1,"b":1},{"a":1},{}]', '[{"a":1,"b":1},{}]'],
  // Comparisons: every element passes or none does, because no filter depends on the element.
  ...(
    [
      ['$.absent1 == $.absent2', true],
      ['$.absent1 <= $.absent2', true],
      ['$.absent == "g"', false],
      ['$.absent != "g"', true],
      ['$.absent == null', false],
      ['1 <= 2', true],
      ['1 > 2', false],
      ['13 == "13"', false],
      ['"a" <= "b"', true],
      ['"a" > "b"', false],
      ['"a" < "ab"', true],
      ['"\\uffff" < "\\ud83d\\ude00"', true],
      ['"\\ud83d\\ude00" < "\\uffff"', false],
      ['"\\ud83d\\ude00" < "\\ud83d\\ude01"', true],
      ['"\\u0061" == "a"', true],
      ['$.obj == $.arr', false],
      ['$.obj != $.arr', true],
      ['$.obj == $.obj', true],
      ['$.obj != $.obj', false],
      ['$.arr == $.arr', true],
      ['$.obj == 17', false],
      ['$.obj != 17', true],
      ['$.obj <= $.arr', false],
      ['$.obj < $.arr', false],
      ['$.obj <= $.obj', true],
      ['$.arr >= $.arr', true],
      ['1 <= $.arr', false],
      ['1 >= $.arr', false],
      ['1 > $.arr', false],
      ['true <= true', true],
      ['true > true', false],
      ['true < false', false],
      ['null >= null', true],
      ['false == null', false],
      ['-0 == 0', true],
      ['1 == 1.0', true],
      ['1e2 == 100', true],
      ['100e-2 == 1', true],
      ['-1.5 < -0.5', true],
      ['9007199254740993 == 9007199254740992', false],
      ['9007199254740993 > 9007199254740992', true],
      ['-9007199254740993 < -9007199254740992', true],
      ['1e400 < 1e401', true],
      ['-1e400 < 1e-400', true],
      ['0 < 1e-400', true],
      ['1e-401 < 1e-400', true],
      ['123456789012345678 < 123456789012345679', true],
      ['12345678901234567 < 123456789012345678', true],
      ['0.30000000000000004 > 0.3', true],
      ['0e500 == 0', true],
    ] as const
  ).map(([filter, passes]): [string, string, string] => [
    `$[?${filter}]`,
    comparisons,
    passes ? '[{"x":"y"},[2,3]]' : '[]',
  ]),
  [
    '$[?@.a==@.b]',
    '[{"a":{"x":1.0,"y":[2]},"b":{"y":[2e0],"x":1}}]',
    '[{"a":{"x":1.0,"y":[2]},"b":{"y":[2e0],"x":1}}]',
  ],
  ['$[?@.a==@.b]', '[{"a":{"x":1},"b":{"toString":1}},{"a":[1],"b":[1,2]},{"a":[1,2],"b":[1]},{"a":{},"b":[]}]', '[]'],
  ['$[?@.a==@.b]', '[{"a":{"x":1,"y":2},"b":{"x":1}},{"a":{"x":1},"b":{"x":1,"y":2}}]', '[]'],
]
for (const [path, text, found] of cases) {
  test(`${path} finds ${found.slice(0, 50)} in ${text.slice(0, 30)}`, (t) => t.is(find(path, text), found))
}

const patterns: [call: string, texts: string[], passing: string[]][] = [
  ['match(@, "a.c")', ['abc', 'xabc', 'abcd', 'a\nc', 'a\u2028c', 'a😀c'], ['abc', 'a\u2028c', 'a😀c']],
  ['search(@, "a.c")', ['abc', 'xabcd', 'ac'], ['abc', 'xabcd']],
  ['match(@, "ab|c")', ['ab', 'c', 'abc', 'ac'], ['ab', 'c']],
  ['match(@, "^ab.*")', ['abc', 'ab', 'xab'], ['abc', 'ab']],
  ['match(@, ".*bc$")', ['abc', 'bc', 'bcx'], ['abc', 'bc']],
  ['search(@, "^b|c$")', ['bx', 'xc', 'xbx'], ['bx', 'xc']],
  ['match(@, "[^a-c]{2,3}")', ['de', 'def', 'd', 'ade'], ['de', 'def']],
  ['match(@, "[.]x")', ['.x', 'ax'], ['.x']],
  ['match(@, "a\\\\.b")', ['a.b', 'axb'], ['a.b']],
  ['match(@, "\\\\p{Lu}\\\\P{Nd}")', ['Éa', 'éa', 'A1'], ['Éa']],
  ['match(@, "[\\\\p{Nd}_-]+")', ['1_-', '٣', 'a'], ['1_-', '٣']],
  ['match(@, "")', ['', 'a'], ['']],
  ['match(@, "(a|b)*")', ['abba', '', 'abc'], ['abba', '']],
  // These patterns are not I-Regexps, so nothing matches (RFC 9535, 2.4.6).
  ...[
    'a**',
    '(a',
    'a)',
    '[a',
    '*a',
    '\\\\d',
    '\\\\w',
    '(?:a)',
    '(?=a)',
    'a{1',
    'a{,2}',
    '\\\\p{Greek}',
    '\\\\1',
    '[]',
  ].map((pattern): [string, string[], string[]] => [`search(@, "${pattern}")`, ['a', '1', 'α', pattern], []]),
  ['match(@, 1)', ['1'], []],
  ['match(1, "1")', ['1'], []],
  ['match(@.none, "1")', ['1'], []],
]
for (const [call, texts, passing] of patterns) {
  test(`${call} passes ${passing.length} of ${texts.length}`, (t) => {
    t.deepEqual(JSON.parse(find(`$[?${call}]`, JSON.stringify(texts))), passing)
  })
}

test('a pattern may come from the data, and differ for each value', (t) => {
  const rows = '[{"t":"ab","p":"a."},{"t":"ab","p":"b"},{"t":"ab","p":1},{"t":1,"p":"1"}]'
  t.is(find('$[?match(@.t,@.p)].p', rows), '["a."]')
})
