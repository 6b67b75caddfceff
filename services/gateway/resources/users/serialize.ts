import type { Account } from '#shared/data/accounts/accounts.ts'
import type { OwnSession } from '#shared/data/users/sessions.ts'
import { isoTime } from '#shared/domain/text/iso-time.ts'
import { toUserJson, type User } from '#shared/domain/user/fields.ts'

/** The user and the account on the wire. */
export function toSignedInJson({ user, account }: { user: User; account: Account }) {
  return { user: toUserJson(user), account: toAccountJson(account) }
}

function toAccountJson({ id, createdAt, updatedAt, name, plan }: Account) {
  return { id, createdAt: isoTime(createdAt), updatedAt: isoTime(updatedAt), name, plan }
}

/** A session of a user on the wire. @param currentId the session of the request */
export function toSessionJson({ id, createdAt, expiresAt }: OwnSession, currentId: string) {
  return { id, createdAt: isoTime(createdAt), expiresAt: isoTime(expiresAt), current: id === currentId }
}
