import type { ApiToken } from '#shared/domain/token/fields.ts'
import { formatTime } from '../../terminal/listing.ts'

/** A token in JSON output, without its value. @param account the name of its account */
export function tokenRow(token: ApiToken, account: string | null) {
  const { id, name, accountId, permissions, ips, activated, locked, createdAt, expiresAt, lastUsedAt } = token
  return {
    id,
    name,
    accountId,
    account,
    rules: permissions.length,
    ips: ips?.join(',') ?? null,
    activated,
    locked,
    createdAt: formatTime(createdAt),
    expiresAt: formatTime(expiresAt),
    lastUsedAt: formatTime(lastUsedAt),
  }
}
