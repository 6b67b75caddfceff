import Joi from 'joi'
import { maxDateLength, parseDate } from '#shared/domain/text/date.ts'
import { joi } from './joi.ts'

/** `true` or `false`, also `1` or `0` (contract 1.1). */
export const queryBoolean = (): Joi.BooleanSchema => Joi.boolean().truthy('1').falsy('0')

/** The form of dates, for descriptions. */
export const dateForm = 'ISO 8601 (a date without a time is its first moment in UTC)'

/** ISO 8601 or the output of JavaScript's `Date.toString()`, as epoch milliseconds. @param about its description, without a full stop */
export const queryDate = (about = 'A time'): Joi.Schema =>
  joi
    .string()
    .check(epochMilliseconds, { maxLength: maxDateLength })
    .description(`${about}; ${dateForm}.`)
    .messages({ 'date.base': dateExpected })

const dateExpected = '{{#label}} must be a date as ISO 8601'
function epochMilliseconds(text: string, { error }: Joi.CustomHelpers): unknown {
  return parseDate(withPlus(text)) ?? error('date.base')
}

/** A date with the `+` of its time zone: if a client does not encode the `+`, it arrives as a space. */
export function withPlus(date: string): string {
  return date.replace(/(GMT|T[\d:.]+) (?=\d\d:?\d\d)/g, '$1+')
}
