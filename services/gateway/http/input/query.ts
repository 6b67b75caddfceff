import Joi from 'joi'
import type { FieldError } from '#shared/errors.ts'
import type { OtherParameters } from '../../request/api-request.ts'
import { queryTextErrors } from './query-text.ts'
import { unknownParameters } from './unknown-parameters.ts'
import { commonRules, type ValidationResult, validate } from './validation.ts'

/** A validated query, and the parameters that the route does not name. */
export type ParsedQuery<Query = Record<string, unknown>> = ValidationResult<Query> & { others: OtherParameters }

/** @param url the target of the request: it has the source text of the query, in which further errors are found */
type ReadQuery<Query> = (query: Readonly<Record<string, unknown>>, url?: string) => ParsedQuery<Query>

/**
 * Creates the reader of a route's query: it converts text, and reports parameters that the route does not name as errors.
 * @param options.others whether the handler validates such parameters instead
 */
export function createQueryReader<Query = Record<string, unknown>>(
  schema: Joi.ObjectSchema<Query> = Joi.object({}),
  options: { others?: boolean } = {},
): ReadQuery<Query> {
  const rules = schema.label('query').prefs({ ...commonRules, convert: true, stripUnknown: true })
  const described: Record<string, Joi.Description> = schema.describe().keys ?? {}
  const parameters = Object.keys(described)
  const known = new Set(parameters)
  const isRepeated = (name: string, sent: unknown) => Array.isArray(sent) && described[name]?.type !== 'array'

  const read: ReadQuery<Query> = (query, url = '') => {
    const validated = validate<Query>(rules, query)
    const { value } = validated
    const invalid = validated.errors.map((error) =>
      isRepeated(error.path, query[error.path]) ? givenTwice(error) : error,
    )
    const errors = [...queryTextErrors(url), ...invalid]
    const unknown = Object.keys(query).filter((name) => !known.has(name))
    if (options.others) {
      const values = Object.fromEntries(unknown.map((name) => [name, query[name]]))
      return { value, errors: [], others: { values, routeParameters: parameters, errors } }
    }
    return { value, errors: [...errors, ...unknownParameters(unknown, { parameters })], others: noOthers }
  }
  const empty = read({})
  Object.freeze(empty.value)
  return (query, url) => (Object.keys(query).length === 0 ? empty : read(query, url))
}

/** A repeated parameter is an array, for which the schema of a single value would report a wrong type. */
function givenTwice({ path }: FieldError): FieldError {
  return { path, message: `"${path}" is given more than once` }
}

const noOthers: OtherParameters = { values: {}, routeParameters: [], errors: [] }
