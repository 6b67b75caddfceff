import type Joi from 'joi'
import { type FieldError, validationFailed } from '#shared/errors.ts'

/** A body with more errors than this gets the first ones: nobody reads the rest, and each costs memory and time. */
export const maxErrors = 1_000

/** What every shape of a request is validated with; joi's own sentences for patterns would repeat the value, say a password. */
export const commonRules: Joi.ValidationOptions = {
  abortEarly: false,
  messages: {
    'string.pattern.base': '{{#label}} does not have the expected form',
    'string.pattern.name': '{{#label}} is not a valid {{#name}}',
    'object.unknown': '{{#label}} is not a property of this',
  },
}

/** A value beside everything that is wrong with it. */
export type ValidationResult<T = unknown> = { value: T; errors: readonly FieldError[] }

/** Holds a value against a shape whose rules were set once at the start. */
export function validate<T>(shape: Joi.ObjectSchema, value: unknown): ValidationResult<T> {
  try {
    const { error, value: validated } = shape.validate(value)
    return { value: validated, errors: error ? errorsOf(error) : noErrors }
  } catch (error) {
    // Joi spreads errors onto the stack, which overflows at some 100,000 of them.
    if (!(error instanceof RangeError)) throw error
    throw validationFailed([{ path: '', message: 'There are too many errors to list.' }])
  }
}

const noErrors: readonly FieldError[] = []

function errorsOf(error: Joi.ValidationError): FieldError[] {
  return error.details.slice(0, maxErrors).map(({ path, message }) => ({ path: path.join('.'), message }))
}

/** @throws VALIDATION_FAILED when there are errors */
export function throwIfInvalid(...groups: (readonly FieldError[])[]): void {
  const errors = groups.flat()
  if (errors.length > 0) throw validationFailed(errors.slice(0, maxErrors))
}
