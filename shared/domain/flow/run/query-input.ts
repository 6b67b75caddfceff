import { parseExact } from '#shared/json/exact.ts'
import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import { objectOf, type Value } from '../../expression/value.ts'

/**
 * The input of a run that is called with a query: an object of its parameters. A text that begins with `{` or `[` and is JSON is taken as
 * JSON; another one becomes a number or a flag where the schema of the input says so of its property, and stays text else.
 * @param parameters as they were sent: a text, or several of one that was repeated
 * @param schema source text of the schema of the input; null: there is none
 */
export function queryInput(parameters: Readonly<Record<string, unknown>>, schema: string | null): Value {
  const parsed: unknown = schema === null ? null : JSON.parse(schema)
  const properties = isObject(parsed) ? own(parsed, 'properties') : null
  return objectOf(
    Object.entries(parameters).map(([name, sent]) => {
      const property = isObject(properties) ? own(properties, name) : null
      const type = isObject(property) ? own(property, 'type') : null
      if (Array.isArray(sent)) return [name, sent.map((text) => parameterValue(String(text), null))] as const
      return [name, parameterValue(String(sent), type)] as const
    }),
  )
}

function parameterValue(text: string, type: unknown): Value {
  if (/^[[{]/.test(text)) return jsonOf(text) ?? text
  const types = [type].flat()
  if (types.some((one) => one === 'number' || one === 'integer') && number.test(text)) return jsonOf(text) ?? text
  return types.includes('boolean') && (text === 'true' || text === 'false') ? text === 'true' : text
}

/** As JSON has numbers. */
const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

function jsonOf(text: string): Value {
  try {
    return parseExact(text) as Value
  } catch {
    return null
  }
}
