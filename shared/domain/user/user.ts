import type { FieldError } from '#shared/errors.ts'
import { lengths } from '../limits.ts'
import { caseFold } from '../text/case-fold.ts'
import { isLongerThan } from '../text/code-points.ts'
import { hasInvisible } from '../text/invisible.ts'

/** The key by which email addresses are compared, unique: trimmed, in NFC, case-folded. */
export function emailKey(email: string): string {
  return caseFold(normalEmail(email))
}

/** An email address as it is stored and displayed. */
export function normalEmail(email: string): string {
  return email.trim().normalize('NFC')
}

/**
 * The errors of an email address: one @ with something on both sides, no white space, control or invisible
 * characters, at most 254 characters. Whether mail arrives there is not checked.
 */
export function emailErrors(email: string, path: string): FieldError[] {
  const normal = normalEmail(email)
  if (!email.isWellFormed()) return [{ path, message: 'is not well-formed Unicode' }]
  if (!/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(normal)) return [{ path, message: 'is not an email address' }]
  if (hasInvisible(normal)) return [{ path, message: 'must not contain invisible characters' }]
  if (isLongerThan(normal, lengths.email) || isLongerThan(emailKey(email), maxKeyLength)) {
    return [{ path, message: `is longer than ${lengths.email} characters` }]
  }
  return []
}

/** Case folding may lengthen a text, and the key's column has room for this many characters. */
const maxKeyLength = 320
