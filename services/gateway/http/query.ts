import Joi from 'joi'
import { maxDateLength, parseDate } from '#shared/domain/text/date.ts'
import { joi } from './joi.ts'
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

/** Prepares reading a route's query: text is converted, parameters the route does not name are dropped. */
export function createQueryReader(
  schema?: Joi.ObjectSchema,
): (query: unknown) => ValidationResult<Record<string, unknown>> {
  if (!schema) return () => nothing
  const rules = schema.label('query').prefs({ ...commonRules, convert: true, stripUnknown: true })
  const read = (query: unknown) => validate<Record<string, unknown>>(rules, query)
  const { value, errors } = read({})
  const empty = { value: Object.freeze(value), errors }
  return (query) => (Object.keys(query as object).length === 0 ? empty : read(query))
}

const nothing: ValidationResult<Record<string, unknown>> = { value: Object.freeze({}), errors: [] }
