import type { OneTimeKind } from '#shared/data/identities/one-time-tokens.ts'
import type { Reply } from '../http/client.ts'
import type { OwnAccount } from './own-account.ts'

type Headers = Record<string, string>

/** The two kinds of tokens, which are requested and confirmed in the same way. */
export const oneTimeKinds = {
  reset: { path: '/identities/password-reset', property: 'resetToken', action: 'reset-password', minutes: 30 },
  verify: {
    path: '/identities/email-verification',
    property: 'verificationToken',
    action: 'verify-email',
    minutes: 1_440,
  },
} as const
export const bothKinds: readonly OneTimeKind[] = ['reset', 'verify']

/** The password that a confirmation sets. */
export const newPassword = 'canary-password-new'

/** Requests a token, with a token of the account that may do everything if no other headers are given. */
export function request({ ask }: OwnAccount, kind: OneTimeKind, body: object, headers?: Headers): Promise<Reply> {
  return ask({ method: 'POST', path: oneTimeKinds[kind].path, body, ...(headers && { headers }) })
}

/** The token in the answer to a request. */
export function tokenOf(kind: OneTimeKind, { json }: Reply): string {
  return String(json?.[oneTimeKinds[kind].property])
}

export function confirm(
  { ask }: OwnAccount,
  kind: OneTimeKind,
  token: unknown,
  given: { password?: string; headers?: Headers } = {},
): Promise<Reply> {
  const { password = newPassword, headers } = given
  const { path, property } = oneTimeKinds[kind]
  const body = { [property]: token, ...(kind === 'reset' && { password }) }
  return ask({ method: 'POST', path: `${path}/confirm`, body, ...(headers && { headers }) })
}

/** The response to a request that matches no identity. */
export const nobody = (kind: OneTimeKind) => ({
  [oneTimeKinds[kind].property]: null,
  expiresAt: null,
  identity: null,
})
