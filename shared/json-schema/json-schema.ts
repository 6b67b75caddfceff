import draft07 from 'ajv/dist/refs/json-schema-draft-07.json' with { type: 'json' }
import { parsePointer } from '#shared/json/pointer.ts'
import { scanJson } from '#shared/json/text.ts'
import type { FieldError } from '../errors.ts'
import { analyzeSchema, type SchemaAnalysis } from './analysis.ts'
import { type CompiledSchema, compileAnalysis } from './compiled.ts'
import { type DataError, dataError } from './errors.ts'
import { maxSchemaBytes, maxSchemaDepth } from './limits.ts'
import { isSchemaObject, type SchemaError, type SchemaObject } from './tree.ts'

/** Work that one validation may take, in units of at worst 250 ns; an item of 1 MiB takes about 2 million. */
const validationBudget = 5_000_000
/** Explaining a refusal goes through every branch and keeps every error; when it takes more, the first errors must do. */
const explainBudget = 250_000
/** Faults that are told of one value. */
export const maxErrors = 100

/**
 * Everything that is wrong with a list's new schema (contract 2.1): its form by draft-07, references that leave it, patterns
 * that no linear-time engine runs, its size and depth.
 * @param text its source text
 * @param path of the schema in the request's body; the errors' paths begin with it
 */
export function checkSchema(text: string, path: string): FieldError[] {
  const bytes = Buffer.from(text)
  if (bytes.length > maxSchemaBytes) return [{ path, message: `must be at most ${maxSchemaBytes} bytes long` }]
  if (scanJson(bytes).depth > maxSchemaDepth)
    return [{ path, message: `must nest at most ${maxSchemaDepth} levels deep` }]
  const schema: unknown = JSON.parse(text)
  if (!isSchemaObject(schema)) return [{ path, message: 'must be an object' }]
  const { plan, errors } = analyzeSchema(schema, formErrors)
  const all = [...dialectErrors(schema), ...formErrors(schema), ...errors]
  return (all.length > 0 ? all : compileErrors(plan))
    .slice(0, maxErrors)
    .map(({ tokens, message }) => ({ path: [path, ...tokens].join('.'), message }))
}

/**
 * Makes a schema that `checkSchema` found nothing in ready to validate parsed data. The caller keeps the result: compiling
 * takes milliseconds, up to about a second for the biggest schemas.
 *
 * Numbers beyond a double's range, parsed as ±Infinity, are numbers and integers, beyond every limit and multiples of nothing.
 *
 * @returns a function that tells all errors of a value, at most 100; when telling all would take too much work, the first
 */
export function compileSchema(text: string): (value: unknown) => DataError[] {
  return validatorOf(analyzeSchema(JSON.parse(text), () => []).plan, maxErrors)
}

function validatorOf(plan: SchemaAnalysis, most: number): (value: unknown) => DataError[] {
  const validate = compileAnalysis(plan, { allErrors: false, budget: validationBudget })
  let explain: CompiledSchema | undefined
  return (value) => {
    const first = validate(value)
    if (first === 'tooMuchWork') return [tooMuchWork]
    if (first.length === 0) return []
    explain ??= compileAnalysis(plan, { allErrors: true, budget: explainBudget })
    const all = explain(value)
    return (all === 'tooMuchWork' || all.length === 0 ? first : all).slice(0, most).map(dataError)
  }
}

const tooMuchWork: DataError = {
  pointer: '',
  path: 'data',
  message: 'takes too many steps to be checked against the schema',
}

function dialectErrors({ $schema }: SchemaObject): SchemaError[] {
  if (typeof $schema !== 'string' || dialect.test($schema)) return []
  return [{ tokens: ['$schema'], message: 'must be http://json-schema.org/draft-07/schema#, or absent' }]
}

const dialect = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/

/** Validates the form of schemas; a draft-07 schema itself, compiled when it is first needed and then kept. */
let validateForm: ((schema: unknown) => DataError[]) | undefined

function formErrors(schema: unknown): SchemaError[] {
  validateForm ??= validatorOf(
    analyzeSchema(JSON.parse(JSON.stringify(draft07, withoutFormats)), () => []).plan,
    10 * maxErrors,
  )
  const errors = validateForm(schema).map(({ pointer, message }) => ({ tokens: parsePointer(pointer) ?? [], message }))
  // For what may be one thing or another the first error says enough.
  const places = Map.groupBy(errors, ({ tokens }) => tokens.join('/'))
  return [...places.values()].flatMap((together) => together.slice(0, 1))
}

/** Patterns and references are validated by rules of our own, with reasons. */
function withoutFormats(key: string, value: unknown): unknown {
  return key === 'format' && typeof value === 'string' ? undefined : value
}

function compileErrors(plan: SchemaAnalysis): SchemaError[] {
  try {
    for (const allErrors of [false, true]) compileAnalysis(plan, { allErrors, budget: validationBudget })
    return []
  } catch (error) {
    // The end of the stack, which the bounds above keep away from all but the oddest schemas.
    if (error instanceof RangeError) return [{ tokens: [], message: 'is too intricate to be compiled' }]
    throw error
  }
}
