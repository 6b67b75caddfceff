import { newId } from '#shared/crypto/ids.ts'
import { generateToken, tokenHash } from '#shared/crypto/token.ts'
import type { Database } from '#shared/data/database.ts'
import { resolveRules } from '#shared/data/tokens/rule-lists.ts'
import { createToken } from '#shared/data/tokens/tokens.ts'
import { createSession } from '#shared/data/users/sessions.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'

/** Headers of a request with credentials. */
export type Credentials = Record<string, string>

export type TestAccount = {
  accountId: string
  userId: string
  /** A signed-in user. */
  user: Credentials
  /** A new API token with these rules; without rules it may do everything. */
  token(rules?: PermissionRule[]): Promise<Credentials>
}

const everything: PermissionRule[] = [{ mode: 'allow', action: '*' }]

/** An account with one user, who is signed in. */
export async function makeAccount(db: Database, { plan = 'scale' } = {}): Promise<TestAccount> {
  const accountId = newId()
  const now = Date.now()
  const stamps = { created_at: now, updated_at: now }
  await db.run(db.build('accounts').insert({ id: accountId, ...stamps, name: accountId, plan }))
  const userId = newId()
  const email = `${userId}@listd.example`
  const passwordHash = 'nobody signs in with it'
  await db.run(
    db.build('users').insert({
      id: userId,
      account_id: accountId,
      ...stamps,
      email,
      email_key: email,
      password_hash: passwordHash,
    }),
  )
  const session = generateToken('session')
  const times = { createdAt: now, expiresAt: now + 3_600_000 }
  await createSession(db, { id: newId(), accountId, userId, tokenHash: tokenHash(session), ...times })
  return {
    accountId,
    userId,
    user: { authorization: `Bearer ${session}` },
    async token(permissions = everything) {
      const rules = await resolveRules(db, { accountId, rules: permissions })
      const { value } = await createToken(db, { id: newId(), accountId, name: 'test', ...rules, now })
      return { 'x-api-token': value }
    },
  }
}
