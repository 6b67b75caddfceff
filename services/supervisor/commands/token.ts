import { newId } from '#shared/crypto/ids.ts'
import { tokenEvent } from '#shared/data/accounts/token-events.ts'
import { createToken, listTokens, lockToken, writeToken } from '#shared/data/accounts/tokens.ts'
import { insertEvents } from '#shared/data/events/events.ts'
import { lengths } from '#shared/domain/limits.ts'
import { allowEverything, type PermissionRule, permissionErrors } from '#shared/domain/permission-rule.ts'
import { formatTime, listing, maxRows, withinLimit } from '../listing.ts'
import type { Terminal } from '../terminal.ts'
import { accountNames, chooseAccount, withSchema } from './database.ts'
import { throwIfInvalid } from './throw-if-invalid.ts'

type CreateTokenOptions = { name: string; account?: string; allowAll?: true; permissions?: string }

/** `listd token create`: prints only the token's value on standard output. */
export async function createTokenCommand(terminal: Terminal, options: CreateTokenOptions): Promise<void> {
  const name = options.name.trim()
  if (name === '' || name.length > lengths.name) throw new Error(`--name must be 1 to ${lengths.name} characters.`)
  const permissions = readPermissions(options)
  await withSchema(terminal, async ({ db }) => {
    const account = await chooseAccount(db, options.account)
    const { token, value } = await db.transaction(async (tx) => {
      const now = await tx.now()
      const created = await createToken(tx, { id: newId(), accountId: account.id, name, permissions, now })
      await insertEvents(tx, [tokenEvent('token-created', created.token, { id: newId(), actor: null, now })])
      return created
    })
    terminal.stderr.write(
      `Created the token "${token.name}" in the account "${account.name}"; it cannot be shown again.\n`,
    )
    terminal.stdout.write(`${value}\n`)
  })
}

/**
 * `listd token lock` and `unlock`: a locked token is refused like a deactivated one, and no request unlocks it (contract 2.6).
 * A running gateway caches a token for at most 5 s, which the message says.
 */
export async function setTokenLockedCommand(
  terminal: Terminal,
  { id: tokenId, account: named, locked }: { id: string; account?: string; locked: boolean },
): Promise<void> {
  await withSchema(terminal, async ({ db }) => {
    const { id: accountId, name: account } = await chooseAccount(db, named)
    const type = locked ? 'token-locked' : 'token-unlocked'
    const name = await db.transaction(async (tx) => {
      const found = await lockToken(tx, { accountId, tokenId })
      if (!found || found.token.locked === locked) return found?.token.name
      const now = await tx.now()
      const token = { ...found.token, locked, updatedAt: now }
      await writeToken(tx, token)
      await insertEvents(tx, [tokenEvent(type, token, { id: newId(), actor: null, now })])
      return token.name
    })
    if (name === undefined) {
      throw new Error(`the account "${account}" has no token ${tokenId}; "listd token list" lists the tokens.`)
    }
    terminal.stderr.write(`The token "${name}" is ${type.slice(6)}; a running gateway notices within 5 seconds.
`)
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
    const rows = found.map(({ id, name, accountId, permissions, createdAt, expiresAt, lastUsedAt, ...flags }) => ({
      ...{ id, name, accountId, account: names.get(accountId) ?? null, rules: permissions.length },
      ...{ activated: flags.activated, locked: flags.locked },
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
  locked: 'locked',
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
