import { isRawNumber, parseInexact } from '#shared/json/exact.ts'
import { isObject } from '#shared/json/is-object.ts'
import type { SchemaAnalysis } from './analysis.ts'
import type { SchemaObject } from './ast.ts'
import { type CompiledSchema, type CompileOptions, compileAnalysis } from './compiled.ts'
import { isInteger } from './lowering.ts'

/** The errors of a value that was parsed from `text`; without the text its numbers are the doubles that it has. */
export type Validate = (value: unknown, text?: string) => ReturnType<CompiledSchema>

/**
 * Compiles a schema in two ways, each on first use: with doubles, if they hold every number, and with decimal values, if the schema or the
 * value has a number that no double holds. Where both apply, both give the same result.
 */
export function compileNumberWays(analysis: SchemaAnalysis, options: Omit<CompileOptions, 'exact'>): Validate {
  const { inexact, compared } = numbersIn(analysis)
  const plain = inexact ? null : compileAnalysis(analysis, options)
  let exact: CompiledSchema | undefined
  return (value, text) => {
    const found = text !== undefined && (inexact || compared) ? parseInexact(text) : null
    if (found === null && plain) return plain(value)
    exact ??= compileAnalysis(analysis, { ...options, exact: true })
    return exact(value, found)
  }
}

/** Whether a schema has numbers that no double is (those of `parseExact`), and whether it compares any. */
function numbersIn({ root, targets }: SchemaAnalysis): { inexact: boolean; compared: boolean } {
  const found = { inexact: false, compared: false }
  const seen = new Set<unknown>()
  const values: unknown[] = [root, ...targets.values()]
  // Iterating an array also visits elements that are added during the loop.
  for (const value of values) {
    if (isRawNumber(value)) found.inexact = true
    else if (typeof value === 'object' && value !== null && !seen.has(value)) {
      seen.add(value)
      if (isObject(value)) found.compared ||= comparesNumbers(value)
      for (const part of Object.values(value)) values.push(part)
    }
  }
  return found
}

/** A value that is not a schema may look like one: it is then compared by decimal value for nothing. */
function comparesNumbers(schema: SchemaObject): boolean {
  if (comparing.some((keyword) => keyword in schema)) return true
  return isInteger(schema.type) || [schema.const, schema.enum].flat().some(mayHoldNumber)
}

const comparing = ['uniqueItems', 'multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']

function mayHoldNumber(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'object' && value !== null)
}
