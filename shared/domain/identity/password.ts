import type { FieldError } from '#shared/errors.ts'
import { password as limits } from '../limits.ts'
import { isLongerThan } from '../text/code-points.ts'

/**
 * The errors of a new password (contract 2.5): 8 to 256 characters, counted in the form that is hashed.
 * Ill-formed UTF-16 is rejected, because all lone surrogates become the same bytes.
 * @param minLength the minimum of the identity's group
 */
export function passwordErrors(text: string, path: string, minLength: number = limits.minLength): FieldError[] {
  if (!text.isWellFormed()) return [{ path, message: 'is not well-formed Unicode' }]
  const normal = normalPassword(text)
  if (!isLongerThan(normal, minLength - 1)) return [{ path, message: `needs ${minLength} characters` }]
  if (isLongerThan(normal, limits.maxLength))
    return [{ path, message: `is longer than ${limits.maxLength} characters` }]
  return []
}

/** The form in which a password is hashed and compared: the same letters typed on another system are the same password. */
export function normalPassword(text: string): string {
  return text.normalize('NFC')
}
