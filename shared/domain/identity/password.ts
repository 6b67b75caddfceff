import type { Fault } from '#shared/errors.ts'
import { password as limits } from '../limits.ts'
import { isLongerThan } from '../text/code-points.ts'

/**
 * What is wrong with a new password (contract 2.5): 8 to 256 characters, counted in the form that is hashed.
 * Ill-formed UTF-16 is refused, because all lone surrogates become the same bytes.
 * @param minLength what the identity's group asks for
 */
export function passwordFaults(text: string, path: string, minLength: number = limits.minLength): Fault[] {
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
