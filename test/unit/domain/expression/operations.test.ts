import test from 'ava'
import { ExpressionError } from '#shared/domain/expression/expression-error.ts'
import { runExpression } from '../../../support/expressions/run-expression.ts'
import { pick, seeded } from '../../../support/load/random-json.ts'

const rounds = 5_000

/** A random expression of one kind, and the same expression in JavaScript. */
type Both = { ours: string; js: string }
type KindName = 'number' | 'text' | 'boolean' | 'list'

function randomOf(random: () => number, kind: KindName, depth: number): Both {
  const one = (of: KindName) => randomOf(random, of, depth - 1)
  if (depth === 0 || random() < 0.15) return leafOf(random, kind)
  if (random() < 0.1) {
    const [condition, then, otherwise] = [one('boolean'), one(kind), one(kind)]
    return {
      ours: `(${condition.ours} ? ${then.ours} : ${otherwise.ours})`,
      js: `(${condition.js} ? ${then.js} : ${otherwise.js})`,
    }
  }
  return pick(random, compounds[kind])(one, random)
}

const leaves: Record<KindName, readonly [string, ...string[]]> = {
  number: ['0', '1', '2', '3.5', '10', '1e3', '-4'],
  text: ['""', '"a"', '"b"', '"abc"', '"é"'],
  boolean: ['true', 'false'],
  list: ['[]', '[1]', '[3, 1, 2]'],
}

function leafOf(random: () => number, kind: KindName): Both {
  const text = pick(random, leaves[kind])
  return { ours: text, js: text }
}

type Compound = (one: (kind: KindName) => Both, random: () => number) => Both

/** An operation with the same syntax in both. The oracle also fails where ours does: if JavaScript returns no number, or calculates with -0. */
const infix =
  (kind: KindName, ...signs: [string, ...string[]]): Compound =>
  (one, random) => {
    const [left, right, sign] = [one(kind), one(kind), pick(random, signs)]
    const js = sign === '==' ? `same(${left.js}, ${right.js})` : `number(${left.js} ${sign} ${right.js})`
    return { ours: `(${left.ours} ${sign} ${right.ours})`, js }
  }

const called =
  (ours: string, js: string, ...kinds: KindName[]): Compound =>
  (one) => {
    const args = kinds.map(one)
    const filled = (text: string, language: keyof Both) =>
      text.replace(/\$(\d)/g, (_, n) => args[Number(n)]?.[language] ?? '')
    return { ours: filled(ours, 'ours'), js: filled(js, 'js') }
  }

const compounds: Record<KindName, readonly [Compound, ...Compound[]]> = {
  number: [
    infix('number', '+', '-', '*', '/', '%'),
    called('length($0)', '[...$0].length', 'text'),
    called('length($0)', '$0.length', 'list'),
    called('sum($0)', '$0.reduce((a, b) => a + b, 0)', 'list'),
    called('abs($0)', 'Math.abs($0)', 'number'),
    called('(first($0) ?? $1)', '($0[0] ?? $1)', 'list', 'number'),
    called('-($0)', 'number(-($0))', 'number'),
  ],
  text: [
    infix('text', '+'),
    called('upper($0)', '$0.toUpperCase()', 'text'),
    called('join(map($0, x => text(x)), $1)', '$0.map(String).join($1)', 'list', 'text'),
    called('slice($0, 1)', '[...$0].slice(1).join("")', 'text'),
  ],
  boolean: [
    infix('number', '<', '<=', '>', '>=', '=='),
    infix('text', '=='),
    infix('list', '=='),
    infix('boolean', '&&', '||', '=='),
    called('!$0', '!$0', 'boolean'),
    called('startsWith($0, $1)', '$0.startsWith($1)', 'text', 'text'),
    called('($0 in $1)', '$1.includes($0)', 'number', 'list'),
    called('some($0, x => x > $1)', '$0.some((x) => x > $1)', 'list', 'number'),
  ],
  list: [
    called('($0 + $1)', '[...$0, ...$1]', 'list', 'list'),
    called('[...$0, $1]', '[...$0, $1]', 'list', 'number'),
    called('map($0, (x, i) => x + i)', '$0.map((x, i) => number(x + i))', 'list'),
    called('filter($0, x => x < $1)', '$0.filter((x) => x < $1)', 'list', 'number'),
    called('reverse($0)', '$0.toReversed()', 'list'),
    called('sort($0)', '$0.toSorted((a, b) => a - b)', 'list'),
    called('unique($0)', '[...new Set($0)]', 'list'),
    called('slice($0, 0, 2)', '$0.slice(0, 2)', 'list'),
  ],
}

const oracle = {
  same: (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other),
  number(value: unknown) {
    if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('no number')
    return value === 0 ? 0 : value
  },
}

test('random expressions have the same value as in JavaScript, or both have none', (t) => {
  const random = seeded(Number(process.env.TEST_SEED ?? 1))
  let values = 0
  for (let round = 0; round < rounds; round++) {
    const { ours, js } = randomOf(random, pick(random, ['number', 'text', 'boolean', 'list']), 5)
    if (ours.length > 4_096) continue
    const expected = orNone(
      () => new Function(...Object.keys(oracle), `return ${js}`)(...Object.values(oracle)),
      RangeError,
    )
    const found = orNone(() => runExpression(ours).value, ExpressionError)
    t.is(found, expected, ours)
    values += Number(found !== null)
  }
  t.true(values > rounds / 2)
})

/** The result as JSON, or null if it threw an error of this class. */
function orNone(run: () => unknown, expected: new (...args: never[]) => Error): string | null {
  try {
    return JSON.stringify(run())
  } catch (error) {
    if (error instanceof expected) return null
    throw error
  }
}
