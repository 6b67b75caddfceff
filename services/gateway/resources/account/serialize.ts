import type { Account } from '#shared/data/accounts/accounts.ts'
import type { StoredToken } from '#shared/data/accounts/tokens.ts'
import type { User } from '#shared/domain/identity/user.ts'
import { isoTime } from '#shared/domain/text/iso-time.ts'

/** The user and the account on the wire. */
export function toSignedInJson({ user, account }: { user: User; account: Account }) {
  return { user: toUserJson(user), account: toAccountJson(account) }
}

function toUserJson({ id, createdAt, updatedAt, email, lastLoginAt }: User) {
  return {
    id,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    email,
    lastLoginAt: lastLoginAt === null ? null : isoTime(lastLoginAt),
  }
}

function toAccountJson({ id, createdAt, updatedAt, name, plan }: Account) {
  return { id, createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt), name, plan }
}

/** An API token on the wire, without its value (contract 2.6). */
export function toTokenJson({ id, createdAt, updatedAt, expiresAt, lastUsedAt, ...token }: StoredToken) {
  const { name, description, tags, permissions, ips, activated, locked } = token
  return {
    ...{ id, createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt) },
    ...{ name, description, tags, permissions, ips },
    expiresAt: expiresAt === null ? null : isoTime(expiresAt),
    ...{ activated, locked },
    lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt),
  }
}
