import type { ExpiringRows } from '../background/delete-expired.ts'

/**
 * Rows of sign-in that expire, by their names in the log: sessions of users and identities, counts of failed logins that no longer have
 * an effect, and one-time tokens of identities. A session that its group's settings ended earlier stays until the expiry it was created
 * with.
 */
export const signInRows: Readonly<Record<'sessions' | 'attempts' | 'tokens', ExpiringRows>> = {
  sessions: { table: 'sessions', key: 'id', expiresAt: 'expires_at' },
  attempts: { table: 'login_attempts', key: 'login_key', expiresAt: 'forget_at' },
  tokens: {
    table: 'identity_one_time_tokens',
    key: 'token_hash',
    index: 'identity_one_time_tokens_token_hash_unique',
    expiresAt: 'expires_at',
  },
}
