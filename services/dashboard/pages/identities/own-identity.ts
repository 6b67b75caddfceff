import type { Identity, OwnIdentity } from '#client/src/types/resources.ts'

/** A signed-in user sees of every identity what it sees of itself. */
export const isOwn = (identity: Identity): identity is OwnIdentity => 'email' in identity
