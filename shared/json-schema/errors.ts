import type { ErrorObject } from 'ajv'
import { dataPath } from '#shared/json/pointer.ts'

/** Where a value does not match a schema, and how. */
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

/** Ajv's sentences, made to name what is meant; `schema` is the keyword's value. */
function sentence({ keyword, params, message }: Pick<ErrorObject, 'keyword' | 'params' | 'message'>): string {
  if (keyword === 'type') return `must be ${[params.type].flat().join(' or ')}`
  if (keyword === 'enum') return `must be one of ${listed(params.schema)}`
  if (keyword === 'const') return `must be ${shown(params.schema)}`
  if (keyword === 'multipleOf') return `must be a multiple of ${params.schema}`
  if (keyword === 'uniqueItems') return 'must not have equal items'
  if (keyword === 'required') return `must have the property ${shown(params.missingProperty)}`
  if (keyword === 'additionalProperties') return `must not have the property ${shown(params.additionalProperty)}`
  if (keyword === 'propertyNames') return `has a property name that is not allowed: ${shown(params.propertyName)}`
  // Dependencies are conditions too (see prepared-schema.ts).
  if (keyword === 'if') return 'must match what applies under a condition that it fulfills'
  if (keyword === 'false schema') return 'must not be there'
  return message ?? `does not match ${keyword}`
}

const mostListed = 20

function listed(values: unknown[]): string {
  const first = values.slice(0, mostListed).map(shown).join(', ')
  return values.length > mostListed ? `${first} and ${values.length - mostListed} more` : first
}

const longestShown = 100

/** A value as JSON, the beginning of it if it is long. */
function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}
