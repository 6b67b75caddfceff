import { newId } from '#shared/crypto/ids.ts'
import { createToken } from '#shared/data/tokens.ts'
import { lengths } from '#shared/domain/limits.ts'
import { type PermissionRule, permissionFaults } from '#shared/domain/permission-rule.ts'
import { chooseAccount, withSchema } from './database.ts'
import { refuseFaults } from './faults.ts'

export type CreateTokenOptions = { name: string; account?: string; allowAll?: true; permissions?: string }

/** Every action; `*` leaves out those that are always named (contract 3). */
const everything: PermissionRule[] = [
  { mode: 'allow', action: '*' },
  { mode: 'allow', action: 'reset-password' },
  { mode: 'allow', action: 'verify-email' },
]

/** `listd token create`: prints the token's value, and nothing else, on standard output. */
export async function createTokenCommand(options: CreateTokenOptions): Promise<void> {
  const name = options.name.trim()
  if (name === '' || name.length > lengths.name) throw new Error(`--name must be 1 to ${lengths.name} characters.`)
  const permissions = readPermissions(options)
  await withSchema(async ({ db }) => {
    const account = await chooseAccount(db, options.account)
    const now = Date.now()
    const { token, value } = await createToken(db, { id: newId(), accountId: account.id, name, permissions, now })
    process.stderr.write(`Made the token "${token.name}" of the account "${account.name}"; it is shown this once.\n`)
    process.stdout.write(`${value}\n`)
  })
}

function readPermissions({ allowAll, permissions }: CreateTokenOptions): PermissionRule[] {
  if (allowAll) return everything
  if (permissions === undefined) {
    throw new Error('say what the token may do: --allow-all, or --permissions with an array of rules.')
  }
  const rules = parse(permissions)
  refuseFaults(permissionFaults(rules, '--permissions'))
  return rules as PermissionRule[]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`--permissions is not valid JSON: ${error instanceof Error ? error.message : error}`)
  }
}
