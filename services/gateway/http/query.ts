import Joi from 'joi'
import { maxDateLength, parseDate } from '#shared/domain/text/date.ts'
import type { OtherParameters } from '../request/route.ts'
import { joi } from './joi.ts'
import { queryTextErrors } from './query-text.ts'
import { unknownParameters } from './unknown-parameters.ts'
import { commonRules, type ValidationResult, validate } from './validation.ts'

/** `true` or `false`, also `1` or `0` (contract 1.1). */
export const queryBoolean = (): Joi.BooleanSchema => Joi.boolean().truthy('1').falsy('0')

/** ISO 8601 or the output of JavaScript's `Date.toString()`, as epoch milliseconds. */
export const queryDate = (): Joi.Schema =>
  joi
    .string()
    .check(epochMilliseconds, {
      maxLength: maxDateLength,
      description: "ISO 8601, also the text of JavaScript's `Date.toString()`.",
    })
    .messages({ 'date.base': dateExpected })

const dateExpected = '{{#label}} must be a date as ISO 8601'
function epochMilliseconds(text: string, { error }: Joi.CustomHelpers): unknown {
  return parseDate(withPlus(text)) ?? error('date.base')
}

/** A date with the `+` of its zone: one that a client did not encode arrives as a space. */
export function withPlus(date: string): string {
  return date.replace(/(GMT|T[\d:.]+) (?=\d\d:?\d\d)/, '$1+')
}

/** A query that was validated, and the parameters that the route does not name. */
export type ParsedQuery = ValidationResult<Record<string, unknown>> & { others: OtherParameters }

/** @param url the target of the request, which shows what the parsed query no longer does */
type ReadQuery = (query: Readonly<Record<string, unknown>>, url?: string) => ParsedQuery

/**
 * Prepares reading a route's query: text is converted, and a parameter that the route does not name is an error.
 * @param options.others whether the handler validates such parameters instead
 */
export function createQueryReader(
  schema: Joi.ObjectSchema = Joi.object({}),
  options: { others?: boolean } = {},
): ReadQuery {
  const rules = schema.label('query').prefs({ ...commonRules, convert: true, stripUnknown: true })
  const parameters = Object.keys(schema.describe().keys ?? {})
  const known = new Set(parameters)

  const read: ReadQuery = (query, url = '') => {
    const validated = validate<Record<string, unknown>>(rules, query)
    const { value } = validated
    const errors = [...queryTextErrors(url), ...validated.errors]
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

const noOthers: OtherParameters = { values: {}, routeParameters: [], errors: [] }
