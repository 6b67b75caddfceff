import { newId } from '#shared/crypto/ids.ts'
import { assertRoomInAccount } from '#shared/data/accounts/account-limits.ts'
import { insertEvents } from '#shared/data/events/events.ts'
import { tokenEvent } from '#shared/data/tokens/token-events.ts'
import { createToken } from '#shared/data/tokens/tokens.ts'
import { allowEverything, type PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { lengths, maxTokenNetworks } from '#shared/domain/limits.ts'
import { limitsOfPlan } from '#shared/domain/plan/plan.ts'
import { cidrForm, parseCidr } from '#shared/net/cidr.ts'
import { formatJson } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { chooseAccount, withSchema } from '../database/database.ts'
import { parseExpiry } from './expiry.ts'
import { tokenRow } from './token-row.ts'
import { resolvedRules, validRules } from './valid-rules.ts'

export type CreateTokenOptions = {
  name: string
  account?: string
  allowAll?: true
  permissions?: string
  expires?: string
  ips?: string
  json?: true
}

/** `listd token create`: prints only the token's value on standard output, or with `json` the token with its value. */
export async function createTokenCommand(terminal: Terminal, options: CreateTokenOptions): Promise<void> {
  const name = options.name.trim()
  if (name === '' || name.length > lengths.name) throw new Error(`--name must be 1 to ${lengths.name} characters.`)
  const fields = {
    name,
    permissions: readPermissions(options),
    ips: readNetworks(options.ips),
    expiresAt: options.expires === undefined ? null : parseExpiry(options.expires, Date.now()),
  }
  await withSchema(terminal, async ({ db, config }) => {
    const account = await chooseAccount(db, options.account)
    const max = limitsOfPlan(config.plans[account.plan]).maxTokens
    const { token, value } = await db.transaction(async (tx) => {
      const now = await tx.now()
      await assertRoomInAccount(tx, { accountId: account.id, limit: 'maxTokens', added: 1, max })
      const rules = await resolvedRules(tx, { accountId: account.id, rules: fields.permissions, path })
      const created = await createToken(tx, { ...fields, ...rules, id: newId(), accountId: account.id, now })
      await insertEvents(tx, [tokenEvent('token-created', created.token, { id: newId(), actor: null, now })])
      return created
    })
    const until = token.expiresAt === null ? '' : ` It expires at ${new Date(token.expiresAt).toISOString()}.`
    terminal.stderr.write(
      `Created the token "${token.name}" in the account "${account.name}"; it cannot be shown again.${until}\n`,
    )
    terminal.stdout.write(options.json ? formatJson({ ...tokenRow(token, account.name), value }) : `${value}\n`)
  })
}

function readPermissions({ allowAll, permissions }: CreateTokenOptions): PermissionRule[] {
  if (allowAll) return [...allowEverything]
  if (permissions === undefined) {
    throw new Error('specify what the token may do: --allow-all, or --permissions with an array of rules.')
  }
  return validRules(parse(permissions), path)
}

const path = '--permissions'

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`--permissions is not valid JSON: ${error instanceof Error ? error.message : error}`)
  }
}

/** @returns null: the token may be used from anywhere */
function readNetworks(text: string | undefined): string[] | null {
  if (text === undefined) return null
  const networks = text.split(',').map((network) => network.trim())
  const wrong = networks.filter((network) => parseCidr(network) === null)
  if (wrong.length > 0) throw new Error(`--ips must be ${cidrForm}, separated by commas, not "${wrong.join(', ')}".`)
  if (networks.length > maxTokenNetworks) throw new Error(`--ips must be at most ${maxTokenNetworks} networks.`)
  return networks
}
