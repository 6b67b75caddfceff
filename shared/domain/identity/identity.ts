import type { FieldError } from '#shared/errors.ts'
import type { ValuesOf } from '../fields/field.ts'
import { lengths } from '../limits.ts'
import { caseFold } from '../text/case-fold.ts'
import { isLongerThan } from '../text/code-points.ts'
import { hasInvisible, hasInvisibleInProse } from '../text/invisible.ts'
import type { ownIdentityFields } from './fields.ts'

/** Someone who registered with the account's own service (contract 2.5). Times are epoch milliseconds. */
export interface Identity extends Omit<ValuesOf<typeof ownIdentityFields>, 'sessionCount'> {
  accountId: string
}

/** A name as it is stored and displayed: trimmed and in NFC. */
export function normalIdentityName(name: string): string {
  return name.normalize('NFC').trim()
}

/**
 * The key by which names are compared, unique within a group. Case folding turns one character into up to three, so the
 * key of a valid name has at most 300.
 */
export function identityNameKey(name: string): string {
  return caseFold(normalIdentityName(name))
}

/** The errors of a name: 1 to 100 characters in its normal form, no slash, no control characters, no invisible ones. */
export function identityNameErrors(name: string, path: string): FieldError[] {
  const errors = textErrors(name, { path, max: lengths.identityName, hasInvisible })
  if (errors.length > 0) return errors
  // Paths have the form `group/name`.
  return name.includes('/') ? [{ path, message: 'must not contain a slash' }] : []
}

/** The errors of the name that is shown next to an item: 1 to 200 characters, no control characters, no bidirectional marks. */
export function displayNameErrors(name: string, path: string): FieldError[] {
  return textErrors(name, { path, max: lengths.name, hasInvisible: hasInvisibleInProse })
}

function textErrors(
  text: string,
  { path, max, hasInvisible }: { path: string; max: number; hasInvisible: (text: string) => boolean },
): FieldError[] {
  if (!text.isWellFormed()) return [{ path, message: 'is not well-formed Unicode' }]
  const normal = normalIdentityName(text)
  if (normal === '') return [{ path, message: 'must not be empty' }]
  if (isLongerThan(normal, max)) return [{ path, message: `is longer than ${max} characters` }]
  if (/\p{Cc}/u.test(normal)) return [{ path, message: 'must not contain control characters' }]
  return hasInvisible(normal) ? [{ path, message: 'must not contain invisible characters' }] : []
}
