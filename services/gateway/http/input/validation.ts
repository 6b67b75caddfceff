import type Joi from 'joi'
import { maxErrors } from '#shared/domain/limits.ts'
import { didYouMean, maxHints } from '#shared/domain/text/nearest.ts'
import { type FieldError, validationFailed } from '#shared/errors.ts'

/** The options of every schema; joi's own messages for patterns would quote the value, which may be a password. */
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
    return { value: validated, errors: error ? errorsOf(error, schema) : noErrors }
  } catch (error) {
    // Joi spreads errors onto the stack, which overflows at about 100,000 of them.
    if (!(error instanceof RangeError)) throw error
    throw validationFailed([{ path: '', message: 'There are too many errors to list.' }])
  }
}

const noErrors: readonly FieldError[] = []

function errorsOf(error: Joi.ValidationError, schema: Joi.ObjectSchema): FieldError[] {
  return error.details.slice(0, maxErrors).map(({ path, message, type }, position) => {
    const isHinted = type === 'object.unknown' && position < maxHints
    const hint = isHinted ? didYouMean(String(path.at(-1)), propertiesAt(schema, path.slice(0, -1))) : ''
    return { path: path.join('.'), message: `${message}${hint}` }
  })
}

/** The properties that an object in a value may have; empty if it may be one of several kinds. */
function propertiesAt(schema: Joi.ObjectSchema, path: readonly (string | number)[]): string[] {
  let part: Joi.Description | undefined = descriptionOf(schema)
  for (const step of path) part = typeof step === 'number' ? part?.items?.[0] : part?.keys?.[step]
  return Object.keys(part?.keys ?? {})
}

const descriptions = new WeakMap<Joi.ObjectSchema, Joi.Description>()

/** Cached, because describing a schema takes up to a millisecond, and clients decide how often it is needed. */
function descriptionOf(schema: Joi.ObjectSchema): Joi.Description {
  const description = descriptions.get(schema) ?? schema.describe()
  descriptions.set(schema, description)
  return description
}

/** @throws VALIDATION_FAILED when there are errors */
export function throwIfInvalid(...groups: (readonly FieldError[])[]): void {
  const errors = groups.flat()
  if (errors.length > 0) throw validationFailed(errors.slice(0, maxErrors))
}
