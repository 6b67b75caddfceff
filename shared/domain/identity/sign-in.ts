import { groupNameFaults } from './group.ts'
import { identityNameFaults, identityNameKey } from './identity.ts'
import { emailFaults, emailKey } from './user.ts'

/** How somebody says who it is: a group, or null for the ungrouped space, and a name or an email address. */
export type LoginIdentifier = { group: string | null } & ({ name: string } | { email: string })

/** By what the identity is found, within its group. */
export type SignInKey = { group: string | null } & ({ nameKey: string } | { emailKey: string })

/** The key of what was given; null when nobody can have such a name, so that nothing odd reaches a database. */
export function loginKey(given: LoginIdentifier): SignInKey | null {
  const { group } = given
  if (group !== null && groupNameFaults(group, '').length > 0) return null
  if ('name' in given) {
    return identityNameFaults(given.name, '').length > 0 ? null : { group, nameKey: identityNameKey(given.name) }
  }
  return emailFaults(given.email, '').length > 0 ? null : { group, emailKey: emailKey(given.email) }
}

/**
 * What failed logins are counted under: whoever was named, so that a name and an email address of one identity share their
 * count; where nobody was, the name or address, the same for every way to write it.
 */
export function signInAttempt(accountId: string, given: LoginIdentifier, identityId: string | undefined): string[] {
  if (identityId !== undefined) return ['identity', accountId, identityId]
  const name = 'name' in given ? ['name', identityNameKey(given.name)] : ['email', emailKey(given.email)]
  return ['nobody', accountId, given.group ?? '', ...name]
}
