import type { FieldError } from '#shared/errors.ts'

/** @throws Error with one sentence for all errors of the arguments, if there are any */
export function throwIfInvalid(faults: readonly FieldError[]): void {
  if (faults.length === 0) return
  throw new Error(`${faults.map(({ path, message }) => `${path} ${message}`).join('; ')}.`)
}
