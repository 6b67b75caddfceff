import test from 'ava'
import { valueFinder } from '#shared/json-path/find.ts'
import { parseJsonPath } from '#shared/json-path/parse.ts'
import { PathTooCostly } from '#shared/json-path/path-error.ts'

const find = (path: string, text: string) => valueFinder(parseJsonPath(path))(text)
const zeros = (count: number) => `[${Array(count).fill(0).join(',')}]`
const rows = JSON.stringify(
  Array.from({ length: 2_000 }, (_, n) => ({ n, t: 'ab'.repeat(100), p: `(a|b){${n % 900}}` })),
)
const deep = (text: string) => `${'['.repeat(199)}${text}${']'.repeat(199)}`

const withinBounds: [path: string, text: string, characters: number][] = [
  ['$[-1]', zeros(500_000), 3],
  ['$[*]', zeros(90_000), 180_001],
  ['$[?@.n>=1990].n', rows, 51],
  ['$..n', rows, 8_891],
  ['$..[0]', deep('1'), 0],
]
for (const [path, text, characters] of withinBounds) {
  test(`${path} is found in ${text.length} characters`, (t) => {
    const found = find(path, text)
    if (characters > 0) t.is(found.length, characters)
    else t.true(found.endsWith(',1]'))
  })
}

const tooCostly: [claim: string, path: string, text: string, why: RegExp][] = [
  ['more values than it may look at', '$[*]', zeros(100_001), /takes more than 100000 steps/],
  ['every pair of values', '$[?@ == $[-1]]', zeros(60_000), /steps/],
  ['a query in each round of a filter', '$[?$..*]', rows, /steps/],
  ['filters within filters', '$[?$[?$[?@]]]', zeros(100), /steps/],
  ['values that double with each step', `$${'[0,0]'.repeat(40)}`, deep('1'), /steps/],
  ['many names at every depth', `$..['${Array(200).fill('x').join("','")}']`, rows, /steps/],
  ['comparisons of large values', '$[?$==$]', rows, /steps/],
  ['long numbers', `$[?@==${'1'.repeat(900)}]`, `[${Array(500).fill('1'.repeat(2_000)).join(',')}]`, /steps/],
  ['a text that is found at each depth', '$..*', deep(`"${'x'.repeat(60_000)}"`), /finds more than 8388608 characters/],
  ['a large text over and over', `$[${Array(300).fill(0).join(',')}]`, `["${'x'.repeat(60_000)}"]`, /characters/],
  ['a pattern that a backtracking engine never ends with', "$[?search(@.t,'^(a|b|ab)*c$')]", rows, /steps/],
  ['a pattern of many states', "$[?search(@.t,'(ab){2,500}b')]", rows, /steps/],
  ['a pattern for each value', '$[?match(@.t,@.p)]', rows, /steps/],
  [
    'a pattern that repeats too often',
    "$[?search(@.t,'a{1001}')]",
    rows,
    /a pattern that repeats something more than 1000 times$/,
  ],
  ['a pattern that is too big', "$[?search(@.t,'(a{100}){100}')]", rows, /a pattern that repeats too much/],
  [
    'a pattern that is too long',
    '$[?match("",@)]',
    `["${'a'.repeat(1_025)}"]`,
    /a pattern of more than 1024 characters/,
  ],
]
for (const [claim, path, text, why] of tooCostly) {
  test(`too costly: ${claim}`, (t) => {
    t.throws(() => find(path, text), { instanceOf: PathTooCostly, message: why })
  })
}

test('all texts of one call share a step limit, and each has its own', (t) => {
  const finder = valueFinder(parseJsonPath('$[*]'))
  const text = zeros(90_000)
  for (let n = 0; n < 11; n++) finder(text)
  t.throws(() => finder(text), { instanceOf: PathTooCostly, message: /1000000 for all of a page/ })
})
