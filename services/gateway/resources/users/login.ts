import type { UserLoginAnswer } from '#shared/bus/messages/identity.ts'
import { hashingTimeoutMs } from '#shared/bus/messages/identity.ts'
import type { AccountDeps } from './context.ts'
import { getSignedIn, type SignedIn } from './get-self.ts'

/**
 * Signs a user in: the identity service verifies the password and opens the session.
 * @throws USER_NOT_AUTHENTICATED for any wrong input; IDENTITY_TOO_MANY_ATTEMPTS; SERVICE_UNAVAILABLE
 */
export async function login(
  deps: AccountDeps,
  input: { email: string; password: string; clientAddress: string; requestId: string },
): Promise<SignedIn & { token: string; expiresAt: number }> {
  const { requestId, ...message } = input
  const session = await deps.bus.request<UserLoginAnswer>('identity.user-login', message, {
    timeoutMs: hashingTimeoutMs,
    requestId,
  })
  const { token, expiresAt } = session
  return { ...(await getSignedIn(deps, session)), token, expiresAt }
}
