import { isGroupName } from '../group-name.ts'
import { emailErrors, emailKey } from '../user/user.ts'
import { identityNameErrors, identityNameKey } from './identity.ts'

/** The identity that a client wants to sign in: a group, or null for the ungrouped space, and a name or an email address. */
export type LoginIdentifier = { group: string | null } & ({ name: string } | { email: string })

/** The key by which the identity is found within its group. */
export type LoginKey = { group: string | null } & ({ nameKey: string } | { emailKey: string })

/** The key of an identifier; null when no identity can have it, so that no malformed text reaches a database. */
export function loginKey(identifier: LoginIdentifier): LoginKey | null {
  const { group } = identifier
  if (group !== null && !isGroupName(group)) return null
  if ('name' in identifier) {
    return identityNameErrors(identifier.name, '').length > 0
      ? null
      : { group, nameKey: identityNameKey(identifier.name) }
  }
  return emailErrors(identifier.email, '').length > 0 ? null : { group, emailKey: emailKey(identifier.email) }
}

/**
 * The key that failed logins are counted under: for an identity, its id, separately for logins by name and by email address; if
 * there is none, the normalized name or address. With one count for both, a wait after logins by a name would reveal which
 * address belongs to it.
 */
export function loginAttemptKey(
  accountId: string,
  identifier: LoginIdentifier,
  identityId: string | undefined,
): string[] {
  const name = 'name' in identifier ? ['name', identityNameKey(identifier.name)] : ['email', emailKey(identifier.email)]
  if (identityId === undefined) return ['nobody', accountId, identifier.group ?? '', ...name]
  const { byName, byEmail } = identityLoginKeys(accountId, identityId)
  return 'name' in identifier ? byName : byEmail
}

/** The same for a known identity. Its wrong current passwords count as failed logins by its name. */
export function identityLoginKeys(accountId: string, identityId: string): { byName: string[]; byEmail: string[] } {
  const identity = ['identity', accountId, identityId]
  return { byName: [...identity, 'name'], byEmail: [...identity, 'email'] }
}

/** The same for a dashboard user, existing or not: a wrong current password counts like a failed login. */
export function userLoginKey(email: string): string[] {
  return ['user', emailKey(email)]
}
