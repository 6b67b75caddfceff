import type { UserSetup, UserSetupAnswer } from '#shared/bus/messages/identity.ts'
import { hashingTimeoutMs } from '#shared/bus/messages/identity.ts'
import { parseToken, tokenHash } from '#shared/crypto/token.ts'
import { findTokenByHash } from '#shared/data/tokens/tokens.ts'
import type { ApiToken } from '#shared/domain/token/fields.ts'
import { setupTokenInvalid } from '#shared/domain/user/setup-token.ts'
import { normalEmail } from '#shared/domain/user/user.ts'
import { unavailable } from '#shared/errors.ts'
import type { AccountDeps } from '../context.ts'
import { getSignedIn, type SignedIn } from '../own-user.ts'

/** A session, and the first API token with its value, which is never shown again. */
type SetUp = SignedIn & { token: string; expiresAt: number; apiToken: ApiToken; value: string }

/**
 * Sets up the first user: the identity service hashes the password and creates everything in one transaction. Only the
 * hash of the set-up token leaves this process.
 * @throws IDENTITY_TOKEN_INVALID; SERVICE_UNAVAILABLE
 */
export async function setUp(
  deps: AccountDeps,
  input: { setupToken: string; email: string; password: string; requestId: string },
): Promise<SetUp> {
  const { setupToken, email, password, requestId } = input
  if (parseToken(setupToken)?.kind !== 'setup') throw setupTokenInvalid('unknown')
  const message: UserSetup = { tokenHash: tokenHash(setupToken), email: normalEmail(email), password }
  const options = { timeoutMs: hashingTimeoutMs, requestId }
  const { apiToken: value, ...session } = await deps.bus.request<UserSetupAnswer>('identity.setup', message, options)
  const [signedIn, apiToken] = await Promise.all([
    getSignedIn(deps, session),
    findTokenByHash(deps.db, tokenHash(value)),
  ])
  // Happens only if the token was deleted since the transaction.
  if (!apiToken) throw unavailable('the API token was deleted during the set-up')
  return { ...signedIn, token: session.token, expiresAt: session.expiresAt, apiToken, value }
}
