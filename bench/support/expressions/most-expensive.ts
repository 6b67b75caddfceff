import { Measures } from '#shared/domain/expression/bounds.ts'
import { readExpression } from '#shared/domain/expression/check.ts'
import { evaluate } from '#shared/domain/expression/evaluate.ts'
import { ExpressionError } from '#shared/domain/expression/expression-error.ts'
import { randomFrom } from '#shared/domain/expression/random.ts'
import type { Value } from '#shared/domain/expression/value.ts'
import { flowRunLimits } from '#shared/domain/limits.ts'
import { parseExact } from '#shared/json/exact.ts'
import { median } from '../../../test/support/load/statistics.ts'
import { monotonicMs } from '../clock.ts'

/** An expression that takes long, and the milliseconds and steps that it took. */
export type Expensive = { text: string; ms: number; steps: number }

const many = 10_000
const word = (n: number) => `word-${(n * 7_919) % many}`
const list = <T>(length: number, of: (n: number) => T) => Array.from({ length }, (_, n) => of(n))

/** Values as large as the input of a run may be, or as a page of items. */
const names: ReadonlyMap<string, Value> = new Map<string, Value>(
  Object.entries({
    numbers: list(many, (n) => (n * 7_919) % many),
    words: list(many, word),
    objects: list(1_000, (n) => ({ id: word(n), rank: n, data: { name: word(n + 1), tags: ['a', 'b'] } })),
    raws: parseExact(`[${list(1_000, (n) => `${1 + ((n * 7_919) % 1_000)}${'9'.repeat(20)}`)}]`) as Value,
    some: Object.fromEntries(list(256, (n) => [word(n), n])),
    keyed: Object.fromEntries(list(many, (n) => [word(n), n])),
    wide: Object.fromEntries(list(3 * many, (n) => [`word-${n}`, n])),
    digits: '1'.repeat(10_000),
    same: 'x'.repeat(1_000_000),
    almost: `xy${'x'.repeat(30_000)}`,
    long: 'The quick brown fox jumps over the lazy dog. '.repeat(10_000),
  }),
)

/** Each does one thing as often as the steps of a run allow, or until its value is computed. */
const texts: readonly string[] = [
  'map(range(1000), a => map(range(1000), b => a * b + 1))',
  'map(range(10000), n => -n < 0 ? [n] : {n: n})',
  'map(range(10000), n => addTime("2026-01-31T00:00:00.000Z", n, "months"))',
  'map(range(10000), n => year(n) + weekday(n))',
  'map(range(10000), n => uuid())',
  'map(range(10000), n => round(n / 7, 2))',
  'map(range(10000), n => matches("card-12", "^card-" + text(n) + "$"))',
  'map(range(10000), n => matches(long, "(a|b)+c$"))',
  'map(range(10000), n => parseNumber("12.5"))',
  'map(range(10000), n => parseNumber("12345678901234567890"))',
  'map(range(1000), n => parseNumber(digits))',
  'map(range(1000), n => parseNumber(same))',
  'map(range(10000), n => split("a,b,c,d", ","))',
  'map(range(10000), n => {a: 1, b: 2, ...objects[n % 1000]})',
  'map(range(10000), n => merge({a: 1}, {b: n}))',
  'map(range(1000), n => lower(long))',
  'map(range(1000), n => replace(long, "o", "0"))',
  'map(range(1000), n => split(long, " "))',
  'map(range(1000), n => contains(long, "cats"))',
  'map(range(1000), n => contains(same, "xxxxxy"))',
  'map(range(1000), n => contains(same, "yxxxxx"))',
  'map(range(1000), n => contains(same, almost))',
  'map(range(1000), n => slice(almost, 0, 64) in same)',
  'map(range(1000), n => slice(almost, 0, 1000) in same)',
  'map(range(1000), n => split(long, ""))',
  'map(range(1000), n => trim(long))',
  'map(range(1000), n => slice(long, n, -n))',
  'map(range(1000), n => json(objects))',
  'map(range(1000), n => text(numbers))',
  'map(range(1000), n => reverse(numbers))',
  'map(range(1000), n => [...numbers])',
  'map(range(1000), n => numbers + numbers)',
  'map(range(1000), n => {...some})',
  'map(range(1000), n => merge(some, {a: n}))',
  'map(range(1000), n => omit(some, "word-1"))',
  'map(range(1000), n => some == {...some})',
  'map(range(1000), n => {...keyed})',
  'map(range(1000), n => length(keyed))',
  'map(range(1000), n => length(wide))',
  'map(range(1000), n => merge(keyed, {a: n}))',
  'map(range(1000), n => keyed == wide)',
  'map(range(1000), n => keyed == {...keyed})',
  'map(range(1000), n => keys(keyed))',
  'map(range(1000), n => entries(keyed))',
  'map(range(1000), n => omit(keyed, "word-1"))',
  'map(range(1000), n => merge(keyed, keyed))',
  'map(range(1000), n => objects == objects)',
  'map(range(1000), n => sort(objects, x => x.id))',
  'map(range(1000), n => unique(objects))',
  'map(range(1000), n => {} in objects)',
  'sort(numbers)',
  'sort(raws)',
  'unique(raws)',
  'sort(words)',
  'sort(words, x => lower(x))',
  'unique(words)',
  'shuffle(words)',
  'join(words, ", ")',
  'fromEntries(entries(keyed))',
]

const runs = 3

/** Times each with all steps of a run. @returns the slowest first */
export function timeMostExpensive(): Expensive[] {
  return texts.map(timeText).toSorted((a, b) => b.ms - a.ms)
}

function timeText(text: string): Expensive {
  const helpers = new Map()
  const expression = readExpression(text, { names: names.keys(), helpers })
  const run = {
    fuel: 0,
    helpers,
    random: randomFrom(text),
    patterns: new Map(),
    measures: new Measures(),
    filters: new WeakSet<object>(),
  }
  const times = list(runs, () => {
    run.fuel = flowRunLimits.steps
    const startedAt = monotonicMs()
    try {
      evaluate(run, expression, names)
    } catch (error) {
      if (!(error instanceof ExpressionError && error.kind === 'limit')) throw error
    }
    return monotonicMs() - startedAt
  })
  return { text, ms: median(times), steps: flowRunLimits.steps - Math.max(0, run.fuel) }
}
