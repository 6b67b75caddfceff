import { listGroups } from '#shared/data/identities/identity-groups.ts'
import { formatTime, listing, maxRows, withinLimit } from '../listing.ts'
import type { Terminal } from '../terminal.ts'
import { accountNames, chooseAccount, withSchema } from './database.ts'

/** `listd group list`: of one account or of all. */
export async function listGroupsCommand(
  terminal: Terminal,
  { account: named, json }: { account?: string; json?: true },
): Promise<void> {
  await withSchema(terminal, async ({ db }) => {
    const of = named === undefined ? {} : { accountId: (await chooseAccount(db, named)).id }
    const found = withinLimit(terminal, await listGroups(db, { ...of, limit: maxRows + 1 }))
    const names = await accountNames(db)
    const rows = found.map(({ createdAt, updatedAt, endedCreatedAt: _began, endedLastUsedAt: _used, ...group }) => ({
      ...{ ...group, account: names.get(group.accountId) ?? null },
      ...{ createdAt: formatTime(createdAt), updatedAt: formatTime(updatedAt) },
    }))
    terminal.stdout.write(listing(rows, { columns, json }))
  })
}

const columns = {
  id: 'id',
  name: 'name',
  'session seconds': 'sessionLifetimeSeconds',
  'idle seconds': 'sessionIdleSeconds',
  'email required': 'requireEmail',
  'verified email required': 'requireVerifiedEmail',
  'min password': 'minPasswordLength',
  account: 'account',
  created: 'createdAt',
} as const
