import { own } from '#shared/json/own.ts'
import { entriesOf, namePattern, protoPattern, referenceOf, type SchemaError, type SchemaObject } from '../ast.ts'
import type { Visit } from '../schema-names.ts'
import { type LinearRegExp, linearRegExp } from './linear-regexp.ts'
import { PatternError } from './pattern-error.ts'

/** Bytes that the automata of one schema's patterns may keep, together and each. */
const patternMemory = { all: 4 * 1024 * 1024, one: 256 * 1024 } as const
const maxPatterns = 500
/** Instructions of all patterns of a schema. */
const maxPatternSize = 50_000

/** Compiles every pattern once; a rejected one is added to `errors` at its first place. */
export function compilePatterns(visits: readonly Visit[], errors: SchemaError[]): Map<string, LinearRegExp> {
  const places = new Map<string, string[]>()
  for (const { schema, tokens } of visits) {
    for (const [pattern, place] of patternsOf(schema)) {
      if (!places.has(pattern)) places.set(pattern, [...tokens, ...place])
    }
  }
  const patterns = new Map<string, LinearRegExp>()
  const memoryBytes = Math.min(patternMemory.one, Math.floor(patternMemory.all / places.size))
  let size = 0
  for (const [pattern, tokens] of places) {
    const compiled = compilePattern(pattern, memoryBytes)
    if (typeof compiled === 'string') errors.push({ tokens, message: compiled })
    else patterns.set(pattern, compiled)
    size += typeof compiled === 'string' ? 0 : compiled.size
    if (patterns.size <= maxPatterns && size <= maxPatternSize) continue
    errors.push({ tokens, message: 'exceeds the limits of a schema: too many patterns, or too big together' })
    break
  }
  return patterns
}

function patternsOf(schema: SchemaObject): [string, string[]][] {
  if (referenceOf(schema) !== null) return []
  const patterns: [string, string[]][] = entriesOf(schema, 'patternProperties').map(([name]) => [
    namePattern(name),
    ['patternProperties', name],
  ])
  const pattern = own(schema, 'pattern')
  if (typeof pattern === 'string') patterns.push([pattern, ['pattern']])
  if (entriesOf(schema, 'properties').some(([name]) => name === '__proto__'))
    patterns.push([protoPattern, ['properties']])
  return patterns
}

function compilePattern(pattern: string, memoryBytes: number): LinearRegExp | string {
  try {
    return linearRegExp(pattern, memoryBytes)
  } catch (error) {
    if (error instanceof PatternError) return error.message
    throw error
  }
}
