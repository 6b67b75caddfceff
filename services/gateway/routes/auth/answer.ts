import type { Account } from '#shared/data/accounts.ts'
import type { User } from '#shared/domain/user.ts'

/** The user and the account as they go on the wire. */
export function signedIn({ user, account }: { user: User; account: Account }) {
  return { user: userJson(user), account: accountJson(account) }
}

function userJson({ id, createdAt, updatedAt, email, lastLoginAt }: User) {
  return {
    id,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    email,
    lastLoginAt: lastLoginAt === null ? null : isoTime(lastLoginAt),
  }
}

function accountJson({ id, createdAt, updatedAt, name, plan }: Account) {
  return { id, createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt), name, plan }
}

export function isoTime(time: number): string {
  return new Date(time).toISOString()
}
