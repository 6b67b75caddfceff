import { newId } from '#shared/crypto/ids.ts'
import { hashPassword } from '#shared/crypto/password.ts'
import { generateToken, tokenHash } from '#shared/crypto/token.ts'
import { createAccount } from '#shared/data/accounts/accounts.ts'
import { createToken } from '#shared/data/tokens/tokens.ts'
import { createSession } from '#shared/data/users/sessions.ts'
import { createUser } from '#shared/data/users/users.ts'
import { openTestDatabase } from '../databases/database.ts'

export const testPassword = 'correct horse battery staple'

export type Credentials = { accountId: string; email: string; token: string; session: string }

/** An account with a signed-in user and a token that allows everything, written directly to the database of the running service. */
export async function makeCredentials(dataDir: string, { plan = 'scale' } = {}): Promise<Credentials> {
  const db = await openTestDatabase(dataDir)
  const now = Date.now()
  const accountId = newId()
  const userId = newId()
  const email = `${userId}@example.com`
  const session = generateToken('session')
  const passwordHash = await hashPassword(testPassword, { memoryMib: 19, operations: 2 })
  await createAccount(db, { id: accountId, name: accountId, plan, now })
  await createUser(db, { id: userId, accountId, email, passwordHash, now })
  const times = { createdAt: now, expiresAt: now + 86_400_000 }
  await createSession(db, { id: newId(), accountId, userId, ...times, tokenHash: tokenHash(session) })
  const { value } = await createToken(db, {
    id: newId(),
    accountId,
    name: 'test',
    now,
    permissions: [{ mode: 'allow', action: '*' }],
  })
  await db.close()
  return { accountId, email, token: value, session }
}
