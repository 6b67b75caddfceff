import { Ajv, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv'
import type { InexactJson } from '#shared/json/exact.ts'
import type { SchemaAnalysis } from './analysis.ts'
import { schemaFormats } from './formats/formats.ts'
import { callKeyword, costKeyword, draft07Keywords } from './keywords/draft07-keywords.ts'
import { type ExactNumbers, exactKeywords } from './keywords/exact-keywords.ts'
import { lowerSchemas } from './lowering.ts'
import { createStepBudget, type StepBudget, StepBudgetExceeded } from './step-budget.ts'

/**
 * The errors of a value; none when it matches. `overBudget` when validation was abandoned.
 * @param inexact the value with its numbers that no double is, if it has any; a schema that is not compiled `exact` has them as doubles
 */
export type CompiledSchema = (value: unknown, inexact?: InexactJson | null) => readonly ErrorObject[] | 'overBudget'

export type CompileOptions = {
  /** Whether to find every error or only the first few, which is faster, and in branches much faster. */
  allErrors: boolean
  /** Units of work that one validation may take. */
  steps: number
  /** Whether to compare numbers by their decimal value, and not as doubles. */
  exact?: boolean
}

/**
 * Compiles a schema. Each schema has an Ajv instance of its own: a shared one would grow with every schema.
 * @throws Error when the schema is too complex for the compiler
 */
export function compileAnalysis(
  analysis: SchemaAnalysis,
  { allErrors, steps, exact = false }: CompileOptions,
): CompiledSchema {
  const budget = createStepBudget(steps)
  const functions: ValidateFunction[] = []
  const numbers: ExactNumbers | null = exact ? { of: null } : null
  const ajv = createAjv({ analysis, allErrors, budget, functions, numbers })
  for (const schema of lowerSchemas(analysis, { exact })) functions.push(ajv.compile(schema as AnySchemaObject))
  const [validate] = functions
  if (!validate) throw new Error('lowering gave no schema')
  return (given, inexact = null) => {
    budget.reset()
    if (numbers) numbers.of = inexact
    try {
      if (inexact && numbers ? validateHeld(validate, inexact) : validate(given)) return []
      if (!validate.errors?.length) throw new Error('a value was rejected without an error')
      return validate.errors
    } catch (error) {
      // The budget bounds recursion; big schemas may exhaust the stack before.
      if (error instanceof StepBudgetExceeded || error instanceof RangeError) return 'overBudget'
      throw error
    }
  }
}

/** A value alone is held by something, too: it may be a number. */
function validateHeld(validate: ValidateFunction, { holder }: InexactJson): unknown {
  const value = holder['']
  return validate(value, {
    instancePath: '',
    parentData: holder,
    parentDataProperty: '',
    rootData: holder,
    dynamicAnchors: {},
  })
}

type AjvOptions = {
  analysis: SchemaAnalysis
  allErrors: boolean
  budget: StepBudget
  functions: readonly ValidateFunction[]
  numbers: ExactNumbers | null
}

function createAjv({ analysis, allErrors, budget, functions, numbers }: AjvOptions): Ajv {
  const ajv = new Ajv({
    allErrors,
    // Strict mode rejects what draft-07 allows, such as `additionalItems` without `items`. Draft-07 ignores unknown
    // keywords, and none gets here (see lowering.ts).
    strict: false,
    // The schema has been validated against the draft-07 schema, by this same code.
    meta: false,
    validateSchema: false,
    // {} has no `constructor` and no `__proto__`; {"constructor": 1, "__proto__": 2} has both.
    ownProperties: true,
    // Without a loop, ajv's check does not notice that the property named '' is missing.
    loopRequired: 0,
    // Otherwise a compiled schema keeps this instance alive.
    passContext: true,
    logger: false,
    formats: Object.fromEntries([...schemaFormats].map(([name, validate]) => [name, { type: 'string', validate }])),
    code: { regExp: patternEngine(analysis, budget), optimize: false },
  })
  for (const keyword of numbers ? exactKeywords(budget, numbers) : draft07Keywords(budget))
    ajv.removeKeyword(keyword.keyword as string).addKeyword(keyword)
  return ajv.addKeyword(costKeyword(budget)).addKeyword(callKeyword(budget, functions))
}

/** Gives ajv the patterns that the analysis compiled; each run spends its worst-case cost. */
function patternEngine({ patterns }: SchemaAnalysis, budget: StepBudget) {
  const engine = (source: string) => {
    const pattern = patterns.get(source)
    if (!pattern) throw new Error('a pattern was not compiled')
    return {
      test(text: string) {
        budget.spend(1 + (text.length * (pattern.size + 4)) / 32)
        return pattern.test(text)
      },
      // Ajv distinguishes patterns by this.
      toString: () => source,
    }
  }
  return Object.assign(engine, { code: 'linearRegExp' })
}
