import type { FieldError } from '#shared/errors.ts'

/** @throws Error with one sentence for all errors of the arguments, if there are any */
export function throwIfInvalid(errors: readonly FieldError[]): void {
  if (errors.length === 0) return
  throw new Error(`${errors.map(({ path, message }) => `${path} ${message}`).join('; ')}.`)
}
