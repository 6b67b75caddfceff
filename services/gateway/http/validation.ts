import type Joi from 'joi'
import { maxErrors } from '#shared/domain/limits.ts'
import { type FieldError, validationFailed } from '#shared/errors.ts'

/** The options of every schema; joi's own messages for patterns would repeat the value, which may be a password. */
export const commonRules: Joi.ValidationOptions = {
  abortEarly: false,
  messages: {
    'string.pattern.base': '{{#label}} does not have the expected form',
    'string.pattern.name': '{{#label}} is not a valid {{#name}}',
    'object.unknown': '{{#label}} is not allowed',
  },
}

/** A value and its errors. */
export type ValidationResult<T = unknown> = { value: T; errors: readonly FieldError[] }

/** Validates a value by a schema that was prepared once at the start. */
export function validate<T>(schema: Joi.ObjectSchema, value: unknown): ValidationResult<T> {
  try {
    const { error, value: validated } = schema.validate(value)
    return { value: validated, errors: error ? errorsOf(error) : noErrors }
  } catch (error) {
    // Joi spreads errors onto the stack, which overflows at about 100,000 of them.
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
