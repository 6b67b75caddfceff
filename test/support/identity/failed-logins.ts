import type { ExecutionContext } from 'ava'
import type { AppError } from '#shared/errors.ts'
import { startIdentity, type TestIdentity } from './identity.ts'

/** Ada of staff; and Grace of the same group, who is deactivated. */
export async function adaAndGrace(t: ExecutionContext): Promise<TestIdentity & { identityId: string }> {
  const identity = await startIdentity(t)
  const { identityId } = await identity.register({ ...ada, email: 'Ada@example.com' })
  await identity.register({ name: 'Grace', group: 'staff' })
  await identity.db.run("update identities set activated = 0 where name = 'Grace'")
  return { ...identity, identityId }
}

export const ada = { group: 'staff', name: 'Ada' }

/** Logins by their problem, which the response must not reveal. The default password is Ada's. */
export const failedLogins: Record<string, Parameters<TestIdentity['signIn']>[0]> = {
  'an unknown name': { who: { group: 'staff', name: 'Nobody' } },
  'an unknown email': { who: { group: 'staff', email: 'nobody@example.com' } },
  'a wrong group': { who: { group: 'guests', name: 'Ada' } },
  'a group in another case': { who: { group: 'Staff', name: 'Ada' } },
  'no group': { who: { group: null, name: 'Ada' } },
  'a wrong password': { who: ada, password: 'wrong' },
  'an empty password': { who: ada, password: '' },
  'a deactivated identity': { who: { group: 'staff', name: 'Grace' } },
  'another account': { who: ada, accountId: 'other' },
  'a token that may not sign it in': { who: ada, permitted: false },
  'an impossible name': { who: { group: 'staff', name: 'a/\u0000b' } },
  'an impossible group': { who: { group: ' staff', name: 'Ada' } },
}

/** The same for users: ada@example.com, and mallory@example.com who is disabled. */
export const failedUserLogins: Record<string, Parameters<TestIdentity['login']>[0]> = {
  'a wrong password': { email: 'ada@example.com', password: 'wrong' },
  'an empty password': { email: 'ada@example.com', password: '' },
  'half a character after the password': { email: 'ada@example.com', password: 'correct horse battery\ud800' },
  'an unknown email': { email: 'nobody@example.com' },
  'a disabled user': { email: 'mallory@example.com' },
  'a text that is not an email': { email: 'not an address' },
  'an empty email': { email: '' },
  'an impossible email': { email: 'a\u0000@example.com' },
}

/** The error of a login that must fail. */
export function failureOf(login: Promise<unknown>): Promise<AppError> {
  return login.then(
    () => Promise.reject(new Error('the login succeeded')),
    (error) => error,
  )
}
