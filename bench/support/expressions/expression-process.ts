import { Ajv } from 'ajv'
import { Measures } from '#shared/domain/expression/bounds.ts'
import { type Expression, type Helpers, readExpression, readHelpers } from '#shared/domain/expression/check.ts'
import { evaluate } from '#shared/domain/expression/evaluate.ts'
import { randomFrom } from '#shared/domain/expression/random.ts'
import { flowRunLimits } from '#shared/domain/limits.ts'
import { monotonicMs } from '../clock.ts'
import { runProgram } from '../programs/run-program.ts'
import { itemData, itemSchema } from '../worlds/account.ts'
import { type Expensive, timeMostExpensive } from './most-expensive.ts'
import { helpersText, names, texts } from './page.ts'

/** Milliseconds of one pass over the page, and over as many items. */
export type Passes = Record<keyof typeof passes, number>

export type ExpressionTimes = { first: Passes; warm: Passes; mostExpensive: Expensive[] }

const validate = new Ajv().compile(itemSchema)
const items = texts.map((_, n) => itemData(`item-${n}`))
let read: { helpers: Helpers; expressions: Expression[] }

const passes = {
  parse() {
    const known = [...names.keys()]
    const helpers = readHelpers(helpersText, known)
    read = { helpers, expressions: texts.map((text) => readExpression(text, { names: known, helpers })) }
  },
  evaluate() {
    const random = randomFrom('bench')
    for (const one of read.expressions)
      evaluate(
        {
          fuel: flowRunLimits.steps,
          helpers: read.helpers,
          random,
          patterns: new Map(),
          measures: new Measures(),
          filters: new WeakSet<object>(),
        },
        one,
        names,
      )
  },
  validate() {
    if (!items.every((text) => validate(JSON.parse(text)))) throw new Error('an item is not valid')
  },
}

/** Times the page in a process that has done nothing else before. */
runProgram(async () => ({ ready: null, answer: timeAll }))

/** @param question.seconds how long each is repeated until V8 has compiled it, and then again for its warm figure */
function timeAll({ seconds }: { seconds: number }): ExpressionTimes {
  const first = eachPass((pass) => repeated(pass, 0))
  eachPass((pass) => repeated(pass, seconds))
  return { first, warm: eachPass((pass) => repeated(pass, seconds)), mostExpensive: timeMostExpensive() }
}

function eachPass(time: (pass: () => void) => number): Passes {
  return { parse: time(passes.parse), evaluate: time(passes.evaluate), validate: time(passes.validate) }
}

/** @returns the mean milliseconds of a pass; there is at least one */
function repeated(pass: () => void, seconds: number): number {
  const startedAt = monotonicMs()
  let [count, tookMs] = [0, 0]
  while (count === 0 || tookMs < seconds * 1_000) {
    pass()
    count++
    tookMs = monotonicMs() - startedAt
  }
  return tookMs / count
}
