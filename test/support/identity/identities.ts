import { newId } from '#shared/crypto/ids.ts'
import { generateToken, tokenHash } from '#shared/crypto/token.ts'
import type { Database } from '#shared/data/database.ts'
import { insertIdentity } from '#shared/data/identities/identities.ts'
import { ensureGroup } from '#shared/data/identities/identity-groups.ts'
import { createIdentitySession } from '#shared/data/identities/identity-sessions.ts'
import type { Identity } from '#shared/domain/identity/identity.ts'

export type TestSession = {
  identityId: string
  displayName: string
  token: string
  /** The identity headers of a request. */
  headers: Record<string, string>
}

const week = 7 * 86_400_000

/** A signed-in identity, written directly into the tables; no password matches its hash. */
export async function makeIdentity(
  db: Database,
  given: { accountId: string; name?: string; group?: string; email?: string; passwordHash?: string },
): Promise<TestSession> {
  const id = newId()
  const { accountId, name = id, group = null, email = null, passwordHash = 'nobody signs in with it' } = given
  const now = Date.now()
  const identity: Identity = {
    id,
    accountId,
    createdAt: now,
    updatedAt: now,
    name,
    displayName: `The ${name}`,
    group,
    tags: [],
    email,
    emailVerified: false,
    hasPassword: true,
    lastLoginAt: null,
    activated: true,
  }
  await db.transaction(async (tx) => {
    const { id: groupId } = await ensureGroup(tx, { accountId, name: group, idIfNew: newId() })
    await insertIdentity(tx, identity, { groupId, passwordHash })
  })
  return makeSession(db, identity)
}

/** Another session of an identity. */
export async function makeSession(
  db: Database,
  { id: identityId, accountId, group, displayName }: Pick<Identity, 'id' | 'accountId' | 'group' | 'displayName'>,
): Promise<TestSession> {
  const token = generateToken('identity')
  const now = Date.now()
  const times = { createdAt: now, lastUsedAt: now, expiresAt: now + week }
  await createIdentitySession(db, { id: newId(), accountId, identityId, tokenHash: tokenHash(token), ...times })
  const headers = { 'x-identity-token': token, ...(group !== null && { 'x-identity-group': group }) }
  return { identityId, displayName, token, headers }
}
