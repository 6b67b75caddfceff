import Joi from 'joi'
import { hash, id, text } from './fields.ts'

export type Revoked = { tokenHash: string }
export type IdentityRevoked = { identityId: string }
export type UserRevoked = { userId: string }
export type AccountRevoked = { accountId: string }
export type GroupRevoked = { accountId: string; group: string }

export const revocationBroadcasts = {
  /** A session has ended, or a token has ended or was changed; every process that caches it drops it. */
  revoked: Joi.object<Revoked, true>({ tokenHash: hash }),
  /** Every session of an identity may have ended; every process that caches any of them drops them. */
  'revoked-identity': Joi.object<IdentityRevoked, true>({ identityId: id }),
  /** The same for the sessions of a user. */
  'revoked-user': Joi.object<UserRevoked, true>({ userId: id }),
  /** The settings of a group were changed; every process that caches sessions of its identities drops them. */
  'revoked-identity-group': Joi.object<GroupRevoked, true>({ accountId: id, group: text }),
  /** The price plan of an account was changed; every process that caches its tokens and sessions drops them. */
  'revoked-account': Joi.object<AccountRevoked, true>({ accountId: id }),
} as const
