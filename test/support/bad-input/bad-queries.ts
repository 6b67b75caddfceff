import { operationAt } from './bad-values.ts'

/** A query with one fault: its parameter and its kind. */
export type BadQuery = { path: string; what: string; query: string }

type Schema = {
  type?: string
  enum?: readonly unknown[]
  minimum?: number
  maximum?: number
  maxLength?: number
}

const texts = {
  nothing: '',
  'a text': 'no such value',
  'a negative number': '-1',
  'a big number': '99999999999999999999',
  'a fraction': '1.5',
  'an exponent': '1e1',
  zero: '0',
  'a number beyond': '101',
  NaN: 'NaN',
  'a long text': 'x'.repeat(10_001),
} as const

/** Each parameter of a route with values that it does not accept, and repeated more often than allowed. */
export function badQueries(method: string, path: string): BadQuery[] {
  const { operation } = operationAt(method, path)
  const named = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  return named.flatMap(({ name, schema }) => {
    const times = Number(schema.maxItems ?? 1) + 1
    const often = { path: name, what: `${times} times`, query: `${name}=1&`.repeat(times) }
    const bad = Object.entries(texts).filter(([, text]) => !takes(schema, text))
    return [often, ...bad.map(([what, text]) => ({ path: name, what, query: `${name}=${encodeURIComponent(text)}` }))]
  })
}

function takes(schema: Schema, text: string): boolean {
  const { type, minimum = -Infinity, maximum = Infinity, maxLength = Infinity } = schema
  const value = type === 'boolean' ? flags.get(text) : type === 'integer' ? Number(text) : text
  if (schema.enum) return schema.enum.includes(value)
  if (typeof value !== 'number') return value !== undefined && text.length <= maxLength
  return /^\d+$/.test(text) && Number.isSafeInteger(value) && value >= minimum && value <= maximum
}

const flags = new Map([
  ...['true', '1'].map((text) => [text, true] as const),
  ...['false', '0'].map((text) => [text, false] as const),
])
