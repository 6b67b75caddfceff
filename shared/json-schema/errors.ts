import type { ErrorObject } from 'ajv'
import { dataPath } from '#shared/json/pointer.ts'

/** One error of a value that does not match a schema. */
export type DataError = {
  /** JSON Pointer into the value. */
  pointer: string
  /** The same place as a path in the request's body, in which the value is `data`. */
  path: string
  message: string
}

export function dataError({
  instancePath,
  ...error
}: Pick<ErrorObject, 'instancePath' | 'keyword' | 'params' | 'message'>): DataError {
  return { pointer: instancePath, path: dataPath(instancePath), message: sentence(error) }
}

/** Ajv's sentences with the values of the schema; `schema` is the keyword's value. */
function sentence({ keyword, params, message }: Pick<ErrorObject, 'keyword' | 'params' | 'message'>): string {
  if (keyword === 'type') return `must be ${[params.type].flat().join(' or ')}`
  if (keyword === 'enum') return `must be one of ${listed(params.schema)}`
  if (keyword === 'const') return `must be ${asJson(params.schema)}`
  if (keyword === 'multipleOf') return `must be a multiple of ${asJson(params.schema)}`
  if (keyword in bounds && 'schema' in params) return `must be ${bounds[keyword]} ${asJson(params.schema)}`
  if (keyword === 'whole') return `must be ${[params.schema].flat().join(' or ')}`
  if (keyword === 'uniqueItems') return 'must not have duplicate items'
  if (keyword === 'required') return `must have the property ${asJson(params.missingProperty)}`
  if (keyword === 'additionalProperties') return `must not have the property ${asJson(params.additionalProperty)}`
  if (keyword === 'propertyNames') return `has a property name that is not allowed: ${asJson(params.propertyName)}`
  // Dependencies are conditions too (see lowering.ts).
  if (keyword === 'if') return 'must match the "then" or "else" schema that applies'
  if (keyword === 'false schema') return 'is not allowed'
  return message ?? `does not match ${keyword}`
}

/** The signs of keywords whose sentence ajv has, for those that compare by decimal value. */
const bounds: Readonly<Record<string, string>> = {
  minimum: '>=',
  maximum: '<=',
  exclusiveMinimum: '>',
  exclusiveMaximum: '<',
}

const maxListed = 20

function listed(values: unknown[]): string {
  const first = values.slice(0, maxListed).map(asJson).join(', ')
  return values.length > maxListed ? `${first} and ${values.length - maxListed} more` : first
}

const maxLength = 100

/** A value as JSON, truncated if it is long. */
function asJson(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}
