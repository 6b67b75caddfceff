import Joi from 'joi'
import { hash, id } from './fields.ts'

export type Revoked = { tokenHash: string }
export type IdentityRevoked = { identityId: string }

export const revocationBroadcasts = {
  /** A session or token has ended; every process that caches it drops it. */
  revoked: Joi.object<Revoked, true>({ tokenHash: hash }),
  /** Every session of an identity may have ended; every process that caches any of them drops them. */
  'revoked-identity': Joi.object<IdentityRevoked, true>({ identityId: id }),
} as const
