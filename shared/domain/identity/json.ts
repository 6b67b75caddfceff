import { isoTime } from '../text/iso-time.ts'
import type { Identity } from './identity.ts'

/** An identity as everyone who may view it sees it (contract 2.5). */
export function toIdentityJson(identity: Identity) {
  const { id, createdAt, updatedAt, name, displayName, group, tags, lastLoginAt, activated } = identity
  return {
    id,
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
    name,
    displayName,
    group,
    tags,
    lastLoginAt: lastLoginAt === null ? null : isoTime(lastLoginAt),
    activated,
  }
}

/** An identity as it sees itself, and as the account's user sees it. */
export function toOwnIdentityJson(identity: Identity, { sessionCount }: { sessionCount: number }) {
  const { email, emailVerified, hasPassword } = identity
  return { ...toIdentityJson(identity), email, emailVerified, hasPassword, sessionCount }
}
