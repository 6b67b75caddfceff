import type Joi from 'joi'
import { type Fault, validationFailed } from '#shared/errors.ts'

/** A body with more faults than this gets the first ones: nobody reads the rest, and each costs memory and time. */
export const maxFaults = 1_000

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
export type ValidationResult<T = unknown> = { value: T; faults: readonly Fault[] }

/** Holds a value against a shape whose rules were set once at the start. */
export function validate<T>(shape: Joi.ObjectSchema, value: unknown): ValidationResult<T> {
  try {
    const { error, value: validated } = shape.validate(value)
    return { value: validated, faults: error ? faultsOf(error) : noFaults }
  } catch (error) {
    // Joi spreads faults onto the stack, which overflows at some 100,000 of them.
    if (!(error instanceof RangeError)) throw error
    throw validationFailed([{ path: '', message: 'There are too many faults to list.' }])
  }
}

const noFaults: readonly Fault[] = []

function faultsOf(error: Joi.ValidationError): Fault[] {
  return error.details.slice(0, maxFaults).map(({ path, message }) => ({ path: path.join('.'), message }))
}

/** @throws VALIDATION_FAILED when there are faults */
export function throwIfInvalid(...groups: (readonly Fault[])[]): void {
  const faults = groups.flat()
  if (faults.length > 0) throw validationFailed(faults.slice(0, maxFaults))
}
