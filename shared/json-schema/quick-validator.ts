import { parseExact } from '#shared/json/exact.ts'
import { isObject } from '#shared/json/is-object.ts'
import { analyzeSchema } from './analysis.ts'
import { referenceOf, type SchemaObject } from './ast.ts'
import { type DataError, dataError } from './errors.ts'
import { maxErrors } from './json-schema.ts'
import { compileNumberWays, type Validate } from './number-ways.ts'
import { PatternError } from './patterns/pattern-error.ts'
import { translatePattern } from './patterns/pattern-translation.ts'
import { isMetaSchema } from './references.ts'

/**
 * Validates on the thread that serves requests. Longer validations are left to another thread, which uses `compileSchema` and gives the
 * same results.
 */
export type QuickValidator = {
  /** Whether a value, parsed from `text`, matches; null when finding out takes more than a quick validation may. */
  matches(value: unknown, text?: string): boolean | null
  /** The errors of a value that does not match; null when finding them takes more than a quick validation may. */
  explain(value: unknown, text?: string): DataError[] | null
}

/** Units of work (see step-budget.ts) of a quick validation and of a quick explanation: 15 ms at worst for either. */
const quickBudget = 50_000

/** Compiles a schema without errors (see `checkSchema`). It must be light, or compiling it takes too long. */
export function compileQuickValidator(text: string): QuickValidator {
  const { analysis } = analyzeSchema(parseExact(text) as SchemaObject, () => [])
  const validate = compileNumberWays(analysis, { allErrors: false, steps: quickBudget })
  let explain: Validate | undefined
  return {
    matches(value, text) {
      const first = validate(value, text)
      return first === 'overBudget' ? null : first.length === 0
    },
    explain(value, text) {
      explain ??= compileNumberWays(analysis, { allErrors: true, steps: quickBudget })
      const all = explain(value, text)
      return all === 'overBudget' || all.length === 0 ? null : all.slice(0, maxErrors).map(dataError)
    },
  }
}

/** Checking a schema up to this long and heavy takes 20 ms at worst, and 45 ms where that code runs for the first time. */
const maxCharacters = 64 * 1024
const maxWeight = 160

/** Whether checking or compiling a schema is quick enough for the serving thread. Its form need not be valid. */
export function isLightSchema(text: string): boolean {
  if (text.length > maxCharacters) return false
  let weight = 0
  const values: unknown[] = [JSON.parse(text)]
  // Iterating an array also visits elements that are added during the loop.
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue
    weight += Array.isArray(value) ? value.filter(isBoolean).length : objectWeight(value as SchemaObject)
    if (weight > maxWeight) return false
    for (const part of Object.values(value)) values.push(part)
  }
  return true
}

/** Of any object, because a reference may lead there. Names and scalars in lists cost next to nothing. */
function objectWeight(schema: SchemaObject): number {
  const { pattern, patternProperties, dependencies } = schema
  let weight = Math.max(1, Object.keys(schema).length)
  if (isMetaSchema(referenceOf(schema)?.split('#', 1)[0] ?? '')) weight += maxWeight
  // Each is compiled as a condition, which is three schemas.
  if (isObject(dependencies)) weight += 3 * Object.keys(dependencies).length
  if (typeof pattern === 'string') weight += patternWeight(pattern)
  if (isObject(patternProperties)) {
    for (const name of Object.keys(patternProperties)) {
      weight += patternWeight(name)
      if (weight > maxWeight) break
    }
  }
  return weight
}

function patternWeight(pattern: string): number {
  try {
    return translatePattern(pattern).size / 4
  } catch (error) {
    if (error instanceof PatternError) return pattern.length / 4
    throw error
  }
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean'
}
