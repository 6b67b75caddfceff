import type { ExecutionContext } from 'ava'
import type { UserSetupAnswer } from '#shared/bus/messages/identity.ts'
import { tokenHash } from '#shared/crypto/token.ts'
import { createSetupToken } from '#shared/data/users/setup-tokens.ts'
import { password, startIdentity, type TestIdentity } from './identity.ts'

/** The identity service of an installation that is not set up. */
export async function startEmpty(
  t: ExecutionContext,
  env: Record<string, string> = {},
): Promise<TestIdentity & { hash: string }> {
  const identity = await startIdentity(t, env)
  await identity.db.run('delete from users')
  await identity.db.run('delete from accounts')
  const hash = tokenHash((await identity.db.transaction(createSetupToken)) ?? '')
  return { ...identity, hash }
}

/** Sets the installation up, with a set-up token by its hash. */
export function setUp({ bus }: TestIdentity, given: { tokenHash: string; email?: string }): Promise<UserSetupAnswer> {
  const body = { email: 'ada@example.com', password, ...given }
  return bus.request('identity.setup', body, { timeoutMs: 10_000, requestId: 'r' })
}
