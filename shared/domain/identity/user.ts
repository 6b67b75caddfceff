import type { Fault } from '#shared/errors.ts'
import { lengths } from '../limits.ts'
import { caseFold } from '../text/case-fold.ts'
import { isLongerThan } from '../text/code-points.ts'

/** Someone who signs in to the dashboard and may do everything in the account (contract 1.2). Times are epoch milliseconds. */
export type User = {
  id: string
  accountId: string
  createdAt: number
  updatedAt: number
  email: string
  lastLoginAt: number | null
}

/** The form in which email addresses are compared and kept unique: trimmed, in NFC, ignoring case. */
export function emailKey(email: string): string {
  return caseFold(normalEmail(email))
}

/** The form in which an email address is kept and shown. */
export function normalEmail(email: string): string {
  return email.trim().normalize('NFC')
}

/**
 * What is wrong with an email address: one @ with something on both sides, no white space or control characters, at most
 * 254 characters. Whether mail arrives there is not validated.
 */
export function emailFaults(email: string, path: string): Fault[] {
  const normal = normalEmail(email)
  if (!email.isWellFormed()) return [{ path, message: 'is not well-formed Unicode' }]
  if (!/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(normal)) return [{ path, message: 'is not an email address' }]
  if (isLongerThan(normal, lengths.email) || isLongerThan(emailKey(email), maxKeyLength)) {
    return [{ path, message: `is longer than ${lengths.email} characters` }]
  }
  return []
}

/** Ignoring case may lengthen a text, and the column of the key holds this many characters. */
const maxKeyLength = 320
