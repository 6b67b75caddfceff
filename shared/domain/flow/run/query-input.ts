import type { FieldError } from '#shared/errors.ts'
import { validationFailed } from '#shared/errors.ts'
import { parseExact } from '#shared/json/exact.ts'
import { childPointer } from '#shared/json/pointer.ts'
import { readJsonFrom } from '#shared/json/read.ts'
import type { Value } from '../../expression/value.ts'
import { objectOf } from '../../expression/value.ts'
import { maxErrors, maxJsonDepth } from '../../limits.ts'
import type { ValueTypes } from '../../schema/value-types.ts'

/**
 * The input of a run that is called with a query: an object of its parameters. A value that begins with `{` or `[` and is JSON is parsed.
 * Any other value becomes a number or a flag if the schema of the input allows that at its place, and otherwise stays text.
 * @param parameters as sent: a text, or an array of texts for a repeated parameter
 * @param typesAt the types that the schema allows at a pointer into the input
 * @throws VALIDATION_FAILED for JSON that is not allowed in a body, such as with a repeated key
 */
export function queryInput(
  parameters: Readonly<Record<string, unknown>>,
  typesAt: (pointer: string) => ValueTypes,
): Value {
  const errors: FieldError[] = []
  const input = objectOf(
    Object.entries(parameters).map(([name, sent]) => {
      const place = childPointer('', name)
      const reject = (message: string) => void errors.push({ path: name, message })
      const valueAt = (text: unknown, at: string) => parameterValue(String(text), typesAt(at), reject)
      if (!Array.isArray(sent)) return [name, valueAt(sent, place)] as const
      return [name, sent.map((text, n) => valueAt(text, childPointer(place, n)))] as const
    }),
  )
  if (errors.length > 0) throw validationFailed(errors.slice(0, maxErrors))
  return input
}

function parameterValue(text: string, types: ValueTypes, reject: (message: string) => void): Value {
  if (/^[[{]/.test(text)) return isJson(text) ? readValue(text, reject) : text
  if (types?.has('number') && number.test(text)) return parseExact(text) as Value
  return types?.has('boolean') && (text === 'true' || text === 'false') ? text === 'true' : text
}

/** The syntax of JSON numbers. */
const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** Whether a text is meant as JSON: it is valid by RFC 8259, even if a body with it would be rejected. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Allows one level less than in a body, because the value is a member of the input. */
function readValue(text: string, reject: (message: string) => void): Value {
  const read = readJsonFrom(text, maxJsonDepth - 1)
  if (!('error' in read)) return read.value as Value
  const { why, offset } = read.error
  reject(`is JSON that is not accepted: ${why} at character ${offset}`)
  return null
}
