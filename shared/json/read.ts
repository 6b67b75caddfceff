import { parseExact } from './exact.ts'
import { findSyntaxError, type JsonSyntaxError } from './text/syntax-error.ts'

/**
 * Reads JSON text that comes from outside and is not a body: by the rules that bodies have, and without losing a digit.
 * @param maxDepth levels that it may nest
 */
export function readJsonFrom(text: string, maxDepth: number): { value: unknown } | { error: JsonSyntaxError } {
  const error = findSyntaxError(text, maxDepth)
  return error ? { error } : { value: parseExact(text) }
}
