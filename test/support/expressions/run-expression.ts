import { Measures } from '#shared/domain/expression/bounds.ts'
import { readExpression, readHelpers } from '#shared/domain/expression/check.ts'
import { evaluate } from '#shared/domain/expression/evaluate.ts'
import { ExpressionError } from '#shared/domain/expression/expression-error.ts'
import { randomFrom } from '#shared/domain/expression/random.ts'
import type { Value } from '#shared/domain/expression/value.ts'
import { parseExact } from '#shared/json/exact.ts'

/** The names available to the expressions of tests, as JSON. */
export const names: Readonly<Record<string, string>> = {
  input: `{"name":"Ada","age":36,"tags":["a","b"],"nested":{"deep":{"n":1}},"none":null,"zero":0,"big":9007199254740993,
    "huge":1e400,"constructor":"own","items":[{"n":3,"k":"c"},{"n":1,"k":"a"},{"n":2,"k":"b"}]}`,
  list: '[3,1,2]',
  empty: '[]',
  now: '"2026-03-01T10:00:00.000Z"',
  word: '"Zoë"',
  nothing: 'null',
}

export type Outcome = { value: Value; fuel: number }

const fuel = 100_000

/** Evaluates an expression. @throws ExpressionError */
export function runExpression(text: string, { helpers = '', seed = 'seed' } = {}): Outcome {
  const known = Object.keys(names)
  const values = new Map(Object.entries(names).map(([name, json]) => [name, parseExact(json) as Value]))
  const read = readHelpers(helpers, known)
  const run = {
    fuel,
    helpers: read,
    random: randomFrom(seed),
    patterns: new Map(),
    measures: new Measures(),
    filters: new WeakSet<object>(),
  }
  const value = evaluate(run, readExpression(text, { names: known, helpers: read }), values)
  return { value, fuel: fuel - run.fuel }
}

/** The error of an expression. @throws Error when it has a value */
export function errorOf(text: string, helpers = ''): ExpressionError {
  try {
    runExpression(text, { helpers })
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
  throw new Error(`${text} has a value`)
}
