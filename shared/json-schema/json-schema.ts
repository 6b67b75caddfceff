import draft07 from 'ajv/dist/refs/json-schema-draft-07.json' with { type: 'json' }
import { parseExact } from '#shared/json/exact.ts'
import { isObject } from '#shared/json/is-object.ts'
import { parsePointer } from '#shared/json/pointer.ts'
import { scanJson } from '#shared/json/text/text.ts'
import { errorPath, type FieldError } from '../errors.ts'
import { analyzeSchema, type SchemaAnalysis } from './analysis.ts'
import type { SchemaError, SchemaObject } from './ast.ts'
import { compileAnalysis } from './compiled.ts'
import { type DataError, dataError } from './errors.ts'
import { maxSchemaBytes, maxSchemaDepth } from './limits.ts'
import { compileNumberWays, type Validate } from './number-ways.ts'

/** The maximum work of one validation, in units of at worst 250 ns; an item of 1 MiB takes about 2 million. */
const validationBudget = 5_000_000
/** Finding all errors goes through every branch and keeps every error; beyond this budget the first errors must do. */
const explainBudget = 250_000
/** Most errors reported for one value. */
export const maxErrors = 100

/**
 * All errors of a list's new schema (contract 2.1): its form by draft-07, references that leave it, patterns that no
 * linear-time engine runs, its size and depth.
 * @param text its source text
 * @param path of the schema in the request's body; the errors' paths begin with it
 */
export function checkSchema(text: string, path: string): FieldError[] {
  const bytes = Buffer.from(text)
  if (bytes.length > maxSchemaBytes) return [{ path, message: `must be at most ${maxSchemaBytes} bytes long` }]
  if (scanJson(bytes).depth > maxSchemaDepth)
    return [{ path, message: `must nest at most ${maxSchemaDepth} levels deep` }]
  const schema: unknown = JSON.parse(text)
  if (!isObject(schema)) return [{ path, message: 'must be an object' }]
  const { analysis, errors } = analyzeSchema(schema, formErrors)
  const all = [...formErrors(schema), ...errors]
  return (all.length > 0 ? all : compileErrors(analysis))
    .slice(0, maxErrors)
    .map(({ tokens, message }) => ({ path: errorPath(path, ...tokens), message }))
}

/**
 * Compiles a schema without errors (see `checkSchema`) to validate parsed data. The caller keeps the result: compiling
 * takes milliseconds, up to about a second for the biggest schemas.
 *
 * Numbers are compared by their decimal value, if the text of a value is given with it. Without, a number beyond a double's range,
 * parsed to ±Infinity, is a number and an integer, beyond every limit and a multiple of nothing.
 *
 * @returns a function that gives all errors of a value, at most 100; when that takes too much work, the first ones
 */
export function compileSchema(text: string): DataValidator {
  return validatorOf(analyzeSchema(parseExact(text) as SchemaObject, () => []).analysis, maxErrors)
}

/** The errors of a value. @param text from which it was parsed */
export type DataValidator = (value: unknown, text?: string) => DataError[]

function validatorOf(analysis: SchemaAnalysis, max: number): DataValidator {
  const validate = compileNumberWays(analysis, { allErrors: false, steps: validationBudget })
  let explain: Validate | undefined
  return (value, text) => {
    const first = validate(value, text)
    if (first === 'overBudget') return [overBudget]
    if (first.length === 0) return []
    explain ??= compileNumberWays(analysis, { allErrors: true, steps: explainBudget })
    const all = explain(value, text)
    return (all === 'overBudget' || all.length === 0 ? first : all).slice(0, max).map(dataError)
  }
}

const overBudget: DataError = {
  pointer: '',
  path: 'data',
  message: 'takes too many steps to be checked against the schema',
}

/** Validates the form of schemas by the draft-07 schema, which is compiled on first use and then kept. */
let validateForm: ((schema: unknown) => DataError[]) | undefined

function formErrors(schema: unknown): SchemaError[] {
  validateForm ??= validatorOf(
    analyzeSchema(JSON.parse(JSON.stringify(draft07, withoutFormats)), () => []).analysis,
    10 * maxErrors,
  )
  const errors = validateForm(schema).map(({ pointer, message }) => ({ tokens: parsePointer(pointer) ?? [], message }))
  // Where alternatives are allowed, the first error says enough.
  const byPlace = Map.groupBy(errors, ({ tokens }) => tokens.join('/'))
  return [...byPlace.values()].flatMap((group) => group.slice(0, 1))
}

/** Patterns and references are validated by rules of our own, with reasons. */
function withoutFormats(key: string, value: unknown): unknown {
  return key === 'format' && typeof value === 'string' ? undefined : value
}

function compileErrors(analysis: SchemaAnalysis): SchemaError[] {
  try {
    for (const allErrors of [false, true]) compileAnalysis(analysis, { allErrors, steps: validationBudget })
    return []
  } catch (error) {
    // The stack is exhausted; the limits above prevent that for all but the most unusual schemas.
    if (error instanceof RangeError) return [{ tokens: [], message: 'is too complex to be compiled' }]
    throw error
  }
}
