import test from 'ava'
import { readExpression } from '#shared/domain/expression/check.ts'
import { ExpressionError } from '#shared/domain/expression/expression-error.ts'
import { parseExpression } from '#shared/domain/expression/parse.ts'
import { errorOf, names, runExpression } from '../../../support/expressions/run-expression.ts'
import { pick, seeded } from '../../../support/load/random-json.ts'

test('an expression nests at most 100 levels, in every kind of nesting', (t) => {
  const nested = [
    (depth: number) => `${'('.repeat(depth)}1${')'.repeat(depth)}`,
    (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`,
    (depth: number) => `${'!'.repeat(depth)}true`,
    (depth: number) => `${'true ? '.repeat(depth)}1${' : 2'.repeat(depth)}`,
    (depth: number) => `${'true ? 1 : '.repeat(depth)}2`,
    (depth: number) => `${'length('.repeat(depth)}""${')'.repeat(depth)}`,
    (depth: number) => `list${'[0'.repeat(depth)}${']'.repeat(depth)}`,
  ]
  for (const text of nested.map((build) => build(300)))
    t.regex(errorOf(text).message, /nests deeper than 100 levels/, text)
  for (const text of nested.map((build) => build(98))) t.notThrows(() => parseExpression(text), text)
})

test('an expression of many operations in a row is evaluated, one of too many is rejected', (t) => {
  t.is(runExpression(`0${' + 1'.repeat(400)}`).value, 400)
  for (const text of [`0${'+1'.repeat(2_000)}`, `input${'.a'.repeat(2_000)}`, `input${'?.a'.repeat(1_300)}`]) {
    t.regex(errorOf(text).message, /more than 500 operations in a row/, text)
  }
})

test('texts over their limits are rejected', (t) => {
  t.regex(errorOf(`"${'x'.repeat(4 * 1024)}"`).message, /^at most 4,096 characters are allowed$/)
  t.regex(errorOf('1', '/'.repeat(16 * 1024 + 1)).message, /^at most 16,384 characters are allowed$/)
})

// biome-ignore format: a list of words
const words = [
  'input', 'list', 'x', 'map', 'length', 'sort', 'true', 'null', 'in', 'not', 'let', '__proto__', 'constructor', '"a"', "'b'", '"',
  "'", '\\', '1', '0.5', '1e999', '9007199254740993', '.', '?.', '??', '?', ':', '=>', '=', '==', '(', ')', '[', ']', '{', '}', ',',
  ';', '...', '+', '-', '*', '/', '%', '!', '<', '>=', '&&', '||', '//', '\n', ' ', 'é', '😀', '\u0000', '\ud800', '#', '@', '`', '$0',
] as const

test('each of 100,000 random texts has a value within its steps, or an error with a position in the text', (t) => {
  const random = seeded(2)
  let valid = 0
  for (let round = 0; round < 100_000; round++) {
    const text = Array.from({ length: 1 + Math.floor(random() * 12) }, () => pick(random, words)).join('')
    try {
      readExpression(text, { names: Object.keys(names), helpers: new Map() })
      valid++
    } catch (error) {
      if (!(error instanceof ExpressionError)) return t.fail(`${JSON.stringify(text)}: ${error}`)
      const { line, column } = error.place
      const there = text.split('\n')[line - 1]
      if (there === undefined || column > there.length + 1) return t.fail(`${JSON.stringify(text)} ${line}:${column}`)
      continue
    }
    assertEnds(text)
  }
  t.true(valid > 100, `${valid}`)
})

/** @throws every error that is not an ExpressionError */
function assertEnds(text: string): void {
  try {
    runExpression(text)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
  }
}
