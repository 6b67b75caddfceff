import type { Fault } from '#shared/errors.ts'
import { lengths } from '../limits.ts'
import { caseFold } from '../text/case-fold.ts'
import { isLongerThan } from '../text/code-points.ts'

/** Someone who registered with the account's own service (contract 2.5). Times are epoch milliseconds. */
export type Identity = {
  id: string
  accountId: string
  createdAt: number
  updatedAt: number
  name: string
  displayName: string
  /** The name of its group; null is the account's ungrouped space. */
  group: string | null
  tags: string[]
  email: string | null
  emailVerified: boolean
  hasPassword: boolean
  lastLoginAt: number | null
  activated: boolean
}

/** The form in which a name is kept and shown: trimmed and in NFC. */
export function normalIdentityName(name: string): string {
  return name.normalize('NFC').trim()
}

/**
 * The form in which names are compared and kept unique within a group. Ignoring case makes up to three characters of
 * one, so the key of an acceptable name has at most 300.
 */
export function identityNameKey(name: string): string {
  return caseFold(normalIdentityName(name))
}

/** What is wrong with a name: 1 to 100 characters in its normal form, no slash, no control characters. */
export function identityNameFaults(name: string, path: string): Fault[] {
  const faults = shownTextFaults(name, { path, max: lengths.identityName })
  if (faults.length > 0) return faults
  // The name stands behind the group in paths: `group/name`.
  return name.includes('/') ? [{ path, message: 'must not contain a slash' }] : []
}

/** What is wrong with the name that is shown beside an item: 1 to 200 characters, no control characters. */
export function displayNameFaults(name: string, path: string): Fault[] {
  return shownTextFaults(name, { path, max: lengths.name })
}

function shownTextFaults(text: string, { path, max }: { path: string; max: number }): Fault[] {
  if (!text.isWellFormed()) return [{ path, message: 'is not well-formed Unicode' }]
  const normal = normalIdentityName(text)
  if (normal === '') return [{ path, message: 'must not be empty' }]
  if (isLongerThan(normal, max)) return [{ path, message: `is longer than ${max} characters` }]
  return /\p{Cc}/u.test(normal) ? [{ path, message: 'must not contain control characters' }] : []
}
