import { type FieldError, validationFailed } from '#shared/errors.ts'
import { laterThan } from '../later-than.ts'
import { foldTags } from '../tags.ts'
import { normalEmail } from '../user/user.ts'
import { type Identity, normalIdentityName } from './identity.ts'

/** The fields of an identity that a request may set, in addition to its password. */
export type IdentityBody = {
  name?: string
  displayName?: string
  email?: string | null
  /** In user mode only. */
  emailVerified?: boolean
  tags?: string[]
  activated?: boolean
}

/** The texts of a body in the forms in which they are stored. */
export function normalIdentityBody<Body extends IdentityBody>(body: Body): Body {
  const { name, displayName, email, tags } = body
  return {
    ...body,
    ...(name !== undefined && { name: normalIdentityName(name) }),
    ...(displayName !== undefined && { displayName: normalIdentityName(displayName) }),
    ...(email !== undefined && { email: email === null ? null : normalEmail(email) }),
    ...(tags !== undefined && { tags: foldTags(tags) }),
  }
}

/**
 * An identity with the fields of a body, and perhaps a new password. A different email is unverified, unless the body says
 * otherwise (contract 2.5).
 * @throws VALIDATION_FAILED when it would have a verified email and no email
 */
export function changedIdentity(
  before: Identity,
  body: IdentityBody,
  { hasNewPassword, now }: { hasNewPassword: boolean; now: number },
): Identity {
  const normal = normalIdentityBody(body)
  const { email = before.email } = normal
  const emailVerified = email === before.email && before.emailVerified
  const hasPassword = before.hasPassword || hasNewPassword
  const after = { ...before, emailVerified, ...normal, hasPassword, updatedAt: laterThan(before, now) }
  const errors = verifiedEmailErrors(after)
  if (errors.length > 0) throw validationFailed(errors)
  return after
}

/**
 * The fields that a change in normal form changes. A new password is not compared with the current one, and always counts as a
 * change.
 */
export function changedBy(change: IdentityBody & { password?: string }, before: Identity): string[] {
  const stored: Partial<Record<string, unknown>> = { ...before, password: null }
  const isOther = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(stored[name])
  return Object.entries(change)
    .filter(isOther)
    .map(([name]) => name)
}

/** The errors of an identity whose email is verified but missing. */
export function verifiedEmailErrors({ email, emailVerified }: Pick<Identity, 'email' | 'emailVerified'>): FieldError[] {
  return emailVerified && email === null ? [{ path: 'emailVerified', message: 'needs an email' }] : []
}
