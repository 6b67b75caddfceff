import type { FieldError } from '#shared/errors.ts'
import { validationFailed } from '#shared/errors.ts'
import { parseExact } from '#shared/json/exact.ts'
import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import { readJsonFrom } from '#shared/json/read.ts'
import type { Value } from '../../expression/value.ts'
import { objectOf } from '../../expression/value.ts'
import { maxErrors, maxJsonDepth } from '../../limits.ts'

/**
 * The input of a run that is called with a query: an object of its parameters. A value that begins with `{` or `[` and is JSON is parsed.
 * Any other value becomes a number or a flag if the schema of its property says so, and otherwise stays text.
 * @param parameters as sent: a text, or an array of texts for a repeated parameter
 * @param schema source text of the schema of the input; null: none
 * @throws VALIDATION_FAILED for JSON that is not allowed in a body, such as with a repeated key
 */
export function queryInput(parameters: Readonly<Record<string, unknown>>, schema: string | null): Value {
  const parsed: unknown = schema === null ? null : JSON.parse(schema)
  const properties = isObject(parsed) ? own(parsed, 'properties') : null
  const errors: FieldError[] = []
  const input = objectOf(
    Object.entries(parameters).map(([name, sent]) => {
      const property = isObject(properties) ? own(properties, name) : null
      const type = isObject(property) ? own(property, 'type') : null
      const reject = (message: string) => void errors.push({ path: name, message })
      if (Array.isArray(sent)) return [name, sent.map((text) => parameterValue(String(text), null, reject))] as const
      return [name, parameterValue(String(sent), type, reject)] as const
    }),
  )
  if (errors.length > 0) throw validationFailed(errors.slice(0, maxErrors))
  return input
}

function parameterValue(text: string, type: unknown, reject: (message: string) => void): Value {
  if (/^[[{]/.test(text)) return isJson(text) ? readValue(text, reject) : text
  const types = [type].flat()
  if (types.some((one) => one === 'number' || one === 'integer') && number.test(text)) return parseExact(text) as Value
  return types.includes('boolean') && (text === 'true' || text === 'false') ? text === 'true' : text
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
