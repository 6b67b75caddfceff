import { Ajv, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv'
import type { SchemaAnalysis } from './analysis.ts'
import { schemaFormats } from './formats.ts'
import { callKeyword, costKeyword, draft07Keywords } from './keywords.ts'
import { lowerSchemas } from './lowering.ts'
import { createStepBudget, type StepBudget, StepBudgetExceeded } from './step-budget.ts'

/** The errors of a value; none when it matches. `tooMuchWork` when validating it was given up. */
export type CompiledSchema = (value: unknown) => readonly ErrorObject[] | 'tooMuchWork'

export type CompileOptions = {
  /** Whether every error is wanted, or the first few will do. The latter is faster, and in branches much faster. */
  allErrors: boolean
  /** Units of work that one validation may take. */
  budget: number
}

/**
 * Compiles a schema. The Ajv instance serves this one schema and goes with it: shared ones grow with every schema.
 * @throws Error when the schema is too intricate for the compiler
 */
export function compileAnalysis(plan: SchemaAnalysis, { allErrors, budget }: CompileOptions): CompiledSchema {
  const meter = createStepBudget(budget)
  const slots: ValidateFunction[] = []
  const ajv = createAjv({ plan, allErrors, meter, slots })
  for (const schema of lowerSchemas(plan)) slots.push(ajv.compile(schema as AnySchemaObject))
  const [validate] = slots
  if (!validate) throw new Error('a schema was prepared to nothing')
  return (value) => {
    meter.reset()
    try {
      if (validate(value)) return []
      if (!validate.errors?.length) throw new Error('a value was refused without an error')
      return validate.errors
    } catch (error) {
      // The meter bounds recursion; big schemas may come to the end of the stack before.
      if (error instanceof StepBudgetExceeded || error instanceof RangeError) return 'tooMuchWork'
      throw error
    }
  }
}

type AjvOptions = { plan: SchemaAnalysis; allErrors: boolean; meter: StepBudget; slots: readonly ValidateFunction[] }

function createAjv({ plan, allErrors, meter, slots }: AjvOptions): Ajv {
  const ajv = new Ajv({
    allErrors,
    // Strict mode refuses what draft-07 allows, such as `additionalItems` without `items`. Unknown keywords, which it is
    // best known for refusing, draft-07 ignores, and none gets here (see prepared-schema.ts).
    strict: false,
    // The form of the schema has been validated, with this same machinery.
    meta: false,
    validateSchema: false,
    // `constructor` and `__proto__` are missing from {} and stand in {"constructor": 1, "__proto__": 2}.
    ownProperties: true,
    // Written out without a loop, ajv's check misses that the property named '' is missing.
    loopRequired: 0,
    // Else a compiled schema keeps this instance.
    passContext: true,
    logger: false,
    formats: Object.fromEntries([...schemaFormats].map(([name, validate]) => [name, { type: 'string', validate }])),
    code: { regExp: patternEngine(plan, meter), optimize: false },
  })
  for (const keyword of draft07Keywords(meter)) ajv.removeKeyword(keyword.keyword as string).addKeyword(keyword)
  return ajv.addKeyword(costKeyword(meter)).addKeyword(callKeyword(meter, slots))
}

/** Hands ajv the patterns that were compiled for the plan, each run counted at what it costs at worst. */
function patternEngine({ patterns }: SchemaAnalysis, meter: StepBudget) {
  const engine = (source: string) => {
    const pattern = patterns.get(source)
    if (!pattern) throw new Error('a pattern was not planned')
    return {
      test(text: string) {
        meter.spend(1 + (text.length * (pattern.size + 4)) / 32)
        return pattern.test(text)
      },
      // Ajv tells patterns apart by this.
      toString: () => source,
    }
  }
  return Object.assign(engine, { code: 'linearRegExp' })
}
