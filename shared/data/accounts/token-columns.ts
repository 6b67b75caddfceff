import { tokenFields } from '#shared/domain/token/fields.ts'
import { tableOf } from '../sql/table.ts'

/** Beside these, the hash of its value is stored. */
export const tokenTable = tableOf('tokens', tokenFields, {
  columns: {
    id: 'id',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
    name: 'name',
    description: 'description',
    tags: 'tags',
    permissions: 'permissions',
    ips: 'ips',
    expiresAt: 'expires_at',
    activated: 'activated',
    locked: 'locked',
    lastUsedAt: 'last_used_at',
    accountId: 'account_id',
  },
})
