import { groupNameErrors } from './group.ts'
import { identityNameErrors, identityNameKey } from './identity.ts'
import { emailErrors, emailKey } from './user.ts'

/** Whom a client wants to sign in: a group, or null for the ungrouped space, and a name or an email address. */
export type LoginIdentifier = { group: string | null } & ({ name: string } | { email: string })

/** The key by which the identity is found within its group. */
export type LoginKey = { group: string | null } & ({ nameKey: string } | { emailKey: string })

/** The key of an identifier; null when no identity can have it, so that no malformed text reaches a database. */
export function loginKey(identifier: LoginIdentifier): LoginKey | null {
  const { group } = identifier
  if (group !== null && groupNameErrors(group, '').length > 0) return null
  if ('name' in identifier) {
    return identityNameErrors(identifier.name, '').length > 0
      ? null
      : { group, nameKey: identityNameKey(identifier.name) }
  }
  return emailErrors(identifier.email, '').length > 0 ? null : { group, emailKey: emailKey(identifier.email) }
}

/**
 * The key that failed logins are counted under: the identity, so that its name and its email address share one count, or,
 * when there is none, the normalized name or address.
 */
export function loginAttemptKey(
  accountId: string,
  identifier: LoginIdentifier,
  identityId: string | undefined,
): string[] {
  if (identityId !== undefined) return identityLoginKey(accountId, identityId)
  const name = 'name' in identifier ? ['name', identityNameKey(identifier.name)] : ['email', emailKey(identifier.email)]
  return ['nobody', accountId, identifier.group ?? '', ...name]
}

/** The same of an identity that is known. */
export function identityLoginKey(accountId: string, identityId: string): string[] {
  return ['identity', accountId, identityId]
}

/** The same of a dashboard user, existing or not: a wrong current password counts like a failed login. */
export function userLoginKey(email: string): string[] {
  return ['user', emailKey(email)]
}
