import { newId } from '#shared/crypto/ids.ts'
import { createToken, listTokens } from '#shared/data/accounts/tokens.ts'
import { lengths } from '#shared/domain/limits.ts'
import { allowEverything, type PermissionRule, permissionErrors } from '#shared/domain/permission-rule.ts'
import { formatTime, listing, maxRows, withinLimit } from '../listing.ts'
import type { Terminal } from '../terminal.ts'
import { accountNames, chooseAccount, withSchema } from './database.ts'
import { throwIfInvalid } from './throw-if-invalid.ts'

export type CreateTokenOptions = { name: string; account?: string; allowAll?: true; permissions?: string }

/** `listd token create`: prints only the token's value on standard output. */
export async function createTokenCommand(terminal: Terminal, options: CreateTokenOptions): Promise<void> {
  const name = options.name.trim()
  if (name === '' || name.length > lengths.name) throw new Error(`--name must be 1 to ${lengths.name} characters.`)
  const permissions = readPermissions(options)
  await withSchema(terminal, async ({ db }) => {
    const account = await chooseAccount(db, options.account)
    const now = Date.now()
    const { token, value } = await createToken(db, { id: newId(), accountId: account.id, name, permissions, now })
    terminal.stderr.write(
      `Created the token "${token.name}" in the account "${account.name}"; it cannot be shown again.\n`,
    )
    terminal.stdout.write(`${value}\n`)
  })
}

/** `listd token list`: of one account or of all; never with the values. */
export async function listTokensCommand(
  terminal: Terminal,
  { account: named, json }: { account?: string; json?: true },
): Promise<void> {
  await withSchema(terminal, async ({ db }) => {
    const of = named === undefined ? {} : { accountId: (await chooseAccount(db, named)).id }
    const found = withinLimit(terminal, await listTokens(db, { ...of, limit: maxRows + 1 }))
    const names = await accountNames(db)
    const rows = found.map(({ id, name, accountId, permissions, activated, createdAt, expiresAt, lastUsedAt }) => ({
      ...{ id, name, accountId, account: names.get(accountId) ?? null, rules: permissions.length, activated },
      ...{ createdAt: formatTime(createdAt), expiresAt: formatTime(expiresAt), lastUsedAt: formatTime(lastUsedAt) },
    }))
    terminal.stdout.write(listing(rows, { columns, json }))
  })
}

const columns = {
  id: 'id',
  name: 'name',
  account: 'account',
  rules: 'rules',
  active: 'activated',
  created: 'createdAt',
  expires: 'expiresAt',
  'last used': 'lastUsedAt',
} as const

function readPermissions({ allowAll, permissions }: CreateTokenOptions): PermissionRule[] {
  if (allowAll) return [...allowEverything]
  if (permissions === undefined) {
    throw new Error('say what the token may do: --allow-all, or --permissions with an array of rules.')
  }
  const rules = parse(permissions)
  throwIfInvalid(permissionErrors(rules, '--permissions'))
  return rules as PermissionRule[]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`--permissions is not valid JSON: ${error instanceof Error ? error.message : error}`)
  }
}
