import test from 'ava'
import { linearRegExp } from '#shared/json-schema/patterns/linear-regexp.ts'
import { pick, seeded } from '../../../support/load/random-json.ts'

const memory = 64 * 1024

function nativePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return new RegExp(pattern)
  }
}

const patterns = [
  '^[a-z]+$', '.', '^.$', '\\s', '\\S', '[^\\S\\n]', '[\\s\\d]', 'a|', '(?<x>a)b', 'a{02}', 'a{,5}', 'x{', '[\\w-a]', '[a-\\d]', '[]',
  '[^]', '\\-\\_', '\\u{1F600}', '\\uD83D\\uDE00', '[\\u{1F600}-\\u{1F64F}]', '\\p{L}+', '\\p{Letter}', '\\p{Script=Greek}',
  '\\P{Lu}', '\\p{gc=Lu}', '\\cJ', '\\x41', '\\/', '\\0', '[\\b]', '\\bfoo\\b', '\\Boo', 'a{2,3}?', '(?:a|b){3}', '[[:alpha:]]',
  '\\Qa\\E', '\\A', '\\z', '\\a', '$^', '[^a-z\\d]', '[--a]', '^\\d{3}\\-\\d{4}$', '\\k', '[\\]]', '[a\\-z]', 'é+', '(a*)*b',
  '\\p{ASCII}', '😀', '[😀]', '\\e', '(?:){3}', '\\p{Emoji}', '\\p{Foo}', '\\u0041', '\\u{41}', '^abc$', '(?:a{2}){3}',
] // biome-ignore format: a list of words

const texts = [
  '', 'a', 'ab', 'aa', 'aaa', 'aaaaaa', '\n', 'abc\n', 'abc', '\r', '\u2028', ' ', '\u00a0', '\ufeff', '\v', '-', '_', '😀', '😁', 'é', 'É',
  'α', 'A', '\0', '\b', 'foo', 'a foo b', 'food', 'z', '[', ':', 'Q', 'E', '/', '{', 'x{', '5', 'a{,5}', '555-1234', '\\', 'k', 'b',
  'aab', '[]', 'p{L}', 'p{Foo}', 'w', '^', '$', '|', '1', '\u200b', '\u180e', 'e', 'bbb', 'u{41}', '߀',
] // biome-ignore format: a list of words

for (const pattern of patterns) {
  test(`the pattern ${pattern} matches as in ECMA-262`, (t) => {
    const linear = linearRegExp(pattern, memory)
    const native = nativePattern(pattern)
    for (const text of texts) t.is(linear.test(text), native.test(text), JSON.stringify(text))
  })
}

const rejected: [pattern: string, why: RegExp][] = [
  ['(?=a)b', /look-around/],
  ['a(?!b)', /look-around/],
  ['(?<=a)b', /look-around/],
  ['(?<!a)b', /look-around/],
  ['(a)\\1', /back-reference/],
  ['(?<x>a)\\k<x>', /back-reference/],
  ['(?i:a)', /flags/],
  ['a{1001}', /more than 1000 times/],
  ['(?:a{90}){90}', /repeats too much/],
  [`[${'\\p{L}'.repeat(20_000)}]`, /too many Unicode properties/],
  ['(?:(?:a{11}){11}){11}', /cannot be compiled/],
  ['a\\01', /octal/],
  ['\\p{Script_Extensions=Greek}', /cannot be compiled/],
  ['(', /not a regular expression/],
  ['[z-a]', /not a regular expression/],
  ['a**', /not a regular expression/],
  ['('.repeat(100_000), /not a regular expression/],
]

for (const [pattern, why] of rejected) {
  test(`the pattern ${pattern.slice(0, 30)} of ${pattern.length} characters is rejected`, (t) => {
    t.regex(t.throws(() => linearRegExp(pattern, memory)).message, why)
  })
}

const atoms = [
  'a',
  'b',
  '.',
  '\\d',
  '\\w',
  '\\s',
  '\\S',
  '\\W',
  '[ab]',
  '[^a]',
  '[^\\s]',
  '\\b',
  '^',
  '$',
  '1',
  'é',
  '😀',
  '[^]',
] as const
const quantifiers = ['*', '+', '?', '{2}', '{1,2}', '{0,3}', '*?', '{2,}'] as const

function randomPattern(random: () => number, depth: number): string {
  const inner = () => randomPattern(random, depth - 1)
  const kind = depth === 0 ? 0 : Math.floor(random() * 4)
  if (kind === 1) return inner() + inner() + inner()
  if (kind === 2) return `(?:${inner()}|${inner()})`
  if (kind === 3) return `(${inner()})${pick(random, quantifiers)}`
  return pick(random, atoms)
}

test('random patterns match as in ECMA-262', (t) => {
  const random = seeded(6)
  const chars = ['a', 'b', '1', ' ', '\n', 'é', '😀', '\u2028'] as const
  for (let n = 0; n < 2_000; n++) {
    const pattern = randomPattern(random, 4)
    const linear = linearRegExp(pattern, memory)
    const text = Array.from({ length: Math.floor(random() * 8) }, () => pick(random, chars)).join('')
    t.is(linear.test(text), new RegExp(pattern, 'u').test(text), `${pattern} on ${JSON.stringify(text)}`)
  }
})

/** Patterns, each with a text on which a backtracking engine would take at least minutes, and mostly never end. */
const hostile: [pattern: string, part: string][] = [
  ['^(a+)+$', 'a'],
  ['^(a|aa)+$', 'a'],
  ['^(.*a){12}$', 'ab'],
  ['^[ab]*a[ab]{30}$', 'aab'],
  ['\\s+$', ' '],
  ['(a+ ?)+$', 'aa '],
]
for (const [pattern, part] of hostile) {
  test(`the pattern ${pattern} takes time linear in the text`, (t) => {
    t.false(linearRegExp(pattern, memory).test(`${part.repeat(1_048_576 / part.length)}!`))
  })
}
