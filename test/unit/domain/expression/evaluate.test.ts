import { readFileSync } from 'node:fs'
import test from 'ava'
import { countCharacters, sliceCharacters } from '#shared/domain/expression/characters.ts'
import { ExpressionError } from '#shared/domain/expression/expression-error.ts'
import { sameJson } from '#shared/json/compare/equality.ts'
import { atLeast, atMost } from '../../../support/assertions/bounds.ts'
import { errorOf, runExpression } from '../../../support/expressions/run-expression.ts'

/** One case per line: `expression --> value as JSON`, or `expression --! line:column the beginning of the error`. */
const cases = readFileSync(new URL('../../../support/expressions/cases.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !/^# \w/.test(line))

test('there are as many cases as a language of this size needs', (t) => {
  t.true(cases.length >= 400)
})

for (const line of cases) {
  const [, source = '', sign, expected = ''] = /^(.*?) ?(-->|--!) (.*)$/.exec(line) ?? []
  test(`${source} ${sign} ${expected}`, (t) => {
    const found = outcomeOf(source)
    if (sign === '-->') t.true(sameJson(found, expected) && found === expected, found)
    else t.true(found.startsWith(expected), found)
  })
}

/** The value as JSON, or the position and the message of the error. */
function outcomeOf(text: string): string {
  try {
    return JSON.stringify(runExpression(text).value)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return `${error.place.line}:${error.place.column} ${error.message}`
  }
}

test('a step is an evaluated node, an element, or 64 characters', (t) => {
  const steps = (text: string) => runExpression(text).fuel
  t.is(steps('1'), 1)
  t.is(steps('1 + 1'), 3)
  t.is(steps('true || 1 + 1 == 2'), 2)
  t.is(steps('[1, 2, 3]'), 7)
  t.is(steps('{a: 1}'), 3)
  t.is(steps('map(list, x => x)'), 2 + 3 + 3)
  t.is(steps('range(100)'), 2 + 100)
  t.is(steps(`"${'x'.repeat(640)}" + "${'y'.repeat(640)}"`), 3 + 20)
  t.is(steps('length(list) ?? nothing'), 3)
  t.is(steps('length({a: 1, b: 2})'), 2 + 2 + 2 + 2)
  t.is(steps('split("abc", "")'), 3 + 1 + 3)
  t.is(steps('contains("abc", "b")'), 3 + 1)
})

test('digits take more steps than other characters', (t) => {
  const steps = (text: string) => runExpression(text).fuel
  t.is(steps('parseNumber("12.5")'), 2 + 1)
  t.is(steps('parseNumber("9007199254740993")'), 2 + 1 + 8)
  t.is(steps(`parseNumber("${' '.repeat(640)}1")`), 2 + 11)
  t.is(steps(`parseNumber("${'1'.repeat(640)}")`), 2 + 10 + 80)
  t.is(steps('9007199254740993 < 9007199254740995'), 3 + 1 + 16)
  t.is(steps('9007199254740993 == 9007199254740995'), 3 + 1 + 8)
})

test('a long text takes more steps to examine', (t) => {
  const steps = (characters: number, body: string) =>
    runExpression(`map([replace("${'x'.repeat(characters / 8)}", "x", "12345678")], long => ${body})`).fuel
  for (const body of ['lower(long)', 'upper(long)', 'contains(long, "y")', '"y" in long', 'split(long, "y")']) {
    const few = steps(1_024, body) - steps(1_024, 'length(long)')
    t.is(steps(2_048, body) - steps(2_048, 'length(long)'), few + 16 * 3, body)
  }
})

test('a long part takes more steps to find', (t) => {
  const [text, part] = ['x'.repeat(640), 'y'.repeat(128)]
  const steps = (text: string) => runExpression(text).fuel
  t.is(steps(`contains("${text}", "y")`), 3 + 10)
  t.is(steps(`contains("${text}", "${part}")`), 3 + 10 * 2)
  t.is(steps(`"${part}" in "${text}"`), 3 + 10 * 2)
  t.is(steps(`split("${text}", "${part}")`), 3 + 10 * 2 + 1)
  t.is(steps(`replace("${text}", "${part}", "")`), 4 + 10 * 2 + 1 + 10)
})

for (const body of [
  'length(w)',
  'keys(w)',
  'values(w)',
  'entries(w)',
  '{...w}',
  'fromEntries(entries(w))',
  'omit(w, "a")',
  'pick(w, "a")',
  'merge(w, {a: 1})',
  'merge({}, w)',
  'w == {...w}',
  'w == {}',
]) {
  test(`each of many members takes more steps: ${body}`, (t) => {
    const wide = (members: number) => `fromEntries(map(range(${members}), n => [text(n), n]))`
    const steps = (members: number) =>
      runExpression(`map([${wide(members)}], w => ${body})`).fuel -
      runExpression(`map([${wide(members)}], w => 0)`).fuel
    const [few, more, many] = [steps(128), steps(256), steps(1_024)]
    atMost(t, more, 2 * few, 'steps of 256 members')
    atLeast(t, many, 12 * more, 'steps of 1,024 members')
  })
}

test('a pattern is expensive when it is compiled, and cheap when it is reused', (t) => {
  const steps = (text: string) => runExpression(text).fuel
  const once = steps('matches("abc", "^[a-z]+$")')
  t.true(once > 300 && once < 400)
  t.is(steps('[matches("abc", "^[a-z]+$"), matches("abc", "^[a-z]+$")]') - once, 9)
  t.is(errorOf('map(range(1000), n => matches("abc", text(n)))').kind, 'limit')
  const many = 'map(range(17), n => matches("abc", text(n)))'
  t.true(steps(`[${many}, matches("abc", "0")]`) - steps(many) > 300)
})

test('counting many members takes steps: an expression that repeats it fails with a limit', (t) => {
  const text = 'fromEntries(map(range(3000), n => [text(n), n]))'
  t.is(errorOf(`map([${text}], wide => map(range(100), n => length(wide)))`).kind, 'limit')
})

test('characters are code points wherever a text is cut or counted', (t) => {
  for (const text of ['', 'abc', 'a😀b😀', '😀', '\ud83d', '\ude00\ud83d', 'x\ud83d😀y']) {
    t.is(countCharacters(text), [...text].length)
    for (const from of [-9, -2, -1, 0, 1, 2, 3, 9])
      for (const to of [undefined, -9, -2, -1, 0, 1, 2, 3, 9])
        t.is(sliceCharacters(text, from, to), [...text].slice(from, to).join(''), JSON.stringify([text, from, to]))
  }
})

test('an expression takes the same steps each time', (t) => {
  const text = 'join(map(sort(shuffle(range(200))), n => text(n) + uuid()), ", ")'
  t.deepEqual(runExpression(text), runExpression(text))
})

test('an expression with too many steps fails with a limit, before its value is created', (t) => {
  const hostile = [
    'map(range(1000), a => map(range(1000), b => a * b))',
    'unique(range(10000))',
    'sort(shuffle(range(10000)))',
    'join(map(range(10000), n => join(map(range(100), m => "0123456789012345678901234567890123456789"))))',
    'json(map(range(1000), n => map(range(1000), m => n)))',
    'count(filter(range(10000), n => n in range(10000)))',
    'first(map([range(10000)], list => flatten(map(range(10000), n => list))))',
  ]
  for (const text of hostile) t.is(errorOf(text).kind, 'limit', text)
  const helpers = `let a = "${'x'.repeat(1000)}";${[...'bcdefghijklmnop']
    .map((name, n) => `let ${name} = replace(${'abcdefghijklmnop'[n]}, "x", "xx");`)
    .join('')}`
  t.is(errorOf('p', helpers).kind, 'limit')
})

test('helpers that multiply their calls take steps like everything else', (t) => {
  const helpers = ['let a0 = [1, 1];', ...Array.from({ length: 40 }, (_, n) => `let a${n + 1} = a${n} + a${n};`)].join(
    '\n',
  )
  t.is(errorOf('length(a40)', helpers).kind, 'limit')
})

test('values that are too long or too deep are rejected by name', (t) => {
  const deep = `let d0 = [];${Array.from({ length: 300 }, (_, n) => `let d${n + 1} = [d${n}];`).join('')}`
  t.regex(errorOf('d300', deep).message, /^the value nests deeper than 200 levels$/)
  t.regex(errorOf('json(d300)', deep).message, /nests deeper than 200 levels/)
  t.is(JSON.stringify(runExpression('length(d300)', { helpers: deep }).value), '1')
  const long =
    'replace(replace(replace(input.name, "A", "0123456789"), "d", "01234567890123456789"), "a", join(range(0, 9000) == [] ? [] : map(range(9000), n => "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567")))'
  t.regex(errorOf(long).message, /^the value is longer than 1 MiB$/)
})

test('a value as deep as helpers can build fails with a limit wherever it is read, and never with an overflow', (t) => {
  const doubled = (one: string) =>
    [
      `function f0(x) = ${one};`,
      ...Array.from({ length: 13 }, (_, n) => `function f${n + 1}(x) = f${n}(f${n}(x));`),
    ].join('')
  const lists = ['f13(1) == f13(1)', 'f13(1) != f13(1)', 'f13(1) in [f13(1)]', 'contains([f13(1)], f13(1))']
  for (const text of [
    ...lists,
    'length(unique([f13(1), f13(1)]))',
    'length(json(f13(1)))',
    'length(text(f13(1)))',
    'f13(1)',
  ]) {
    const { kind, message } = errorOf(text, doubled('[x]'))
    t.deepEqual([kind, /nests deeper than 200 levels$/.test(message)], ['limit', true], `${text}: ${message}`)
  }
  for (const text of [
    'length(merge(f13({}), f13({b: 1})))',
    'length(merge({}, f13({b: null})))',
    'f13({}) == f13({})',
  ]) {
    const { kind, message } = errorOf(text, doubled('{a: x}'))
    t.deepEqual([kind, /nests deeper than 200 levels$/.test(message)], ['limit', true], `${text}: ${message}`)
  }
})

test('a range of too many numbers fails with a limit', (t) => {
  t.is(errorOf('range(10001)').kind, 'limit')
})

test('the deepest chain of helpers fails with a limit, not with an overflow', (t) => {
  const chain = [
    'function f0(x) = x;',
    ...Array.from({ length: 560 }, (_, n) => `function f${n + 1}(x)=[f${n}(x)];`),
  ].join('')
  t.is(errorOf('f560(1)', chain).kind, 'limit')
  t.is(errorOf('f560(1) == f560(1)', chain).kind, 'limit')
})
