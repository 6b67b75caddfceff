import type { Identity, OwnIdentity } from '#client/src/types/resources.ts'

/** A signed-in user sees all fields of an identity that the identity sees itself. */
export const isOwn = (identity: Identity): identity is OwnIdentity => 'email' in identity
