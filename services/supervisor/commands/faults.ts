import type { FieldError } from '#shared/errors.ts'

/** Turns what is wrong with the arguments into one sentence. @throws Error when there is any fault */
export function refuseFaults(faults: readonly FieldError[]): void {
  if (faults.length === 0) return
  throw new Error(`${faults.map(({ path, message }) => `${path} ${message}`).join('; ')}.`)
}
