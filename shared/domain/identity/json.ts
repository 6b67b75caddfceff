import { answer } from '../fields/values.ts'
import { identityFields, ownIdentityFields } from './fields.ts'
import type { Identity } from './identity.ts'

/** An identity as everyone who may view it sees it (contract 2.5). */
export const toIdentityJson = answer(identityFields)

/** An identity as it sees itself, and as the account's user sees it. */
export function toOwnIdentityJson(identity: Identity, { sessionCount }: { sessionCount: number }) {
  return ownAnswer({ ...identity, sessionCount })
}

const ownAnswer = answer(ownIdentityFields)
