import type { IdentityRevoked } from '#shared/bus/messages/revocation.ts'
import { newId } from '#shared/crypto/ids.ts'
import type { Database } from '#shared/data/database.ts'
import { findIdentityByRef, type GroupedIdentity, listIdentities } from '#shared/data/identities/identities.ts'
import { changeIdentity } from '#shared/data/identities/identity-changes.ts'
import { listGroups } from '#shared/data/identities/identity-groups.ts'
import type { IdentityBody } from '#shared/domain/identity/change.ts'
import { notifyOfEnded } from '../../notify-gateways.ts'
import { formatTime, listing, maxRows, withinLimit } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { accountNames, type CommandContext, chooseAccount, withSchema } from '../database/database.ts'
import { readHash } from './user.ts'

type OneIdentity = { identity: string; account?: string }

/** `listd identity list`: of one account or of all. */
export async function listIdentitiesCommand(
  terminal: Terminal,
  { account: named, group, json }: { account?: string; group?: string; json?: true },
): Promise<void> {
  await withSchema(terminal, async ({ db }) => {
    const of = named === undefined ? {} : { accountId: (await chooseAccount(db, named)).id }
    if (group) await assertGroup(db, { ...of, name: group })
    const inGroup = group === undefined ? {} : { group }
    const found = withinLimit(terminal, await listIdentities(db, { ...of, ...inGroup, limit: maxRows + 1 }))
    const names = await accountNames(db)
    const rows = found.map(({ id, group, name, displayName, email, activated, accountId, ...times }) => ({
      id,
      group,
      name,
      displayName,
      email,
      activated,
      accountId,
      account: names.get(accountId) ?? null,
      createdAt: formatTime(times.createdAt),
      lastLoginAt: formatTime(times.lastLoginAt),
    }))
    terminal.stdout.write(listing(rows, { columns, json }))
  })
}

/** @throws Error with a sentence when no group has the name */
async function assertGroup(db: Database, of: { accountId?: string; name: string }): Promise<void> {
  if ((await listGroups(db, { ...of, limit: 1 })).length > 0) return
  throw new Error(`there is no group "${of.name}"; "listd group list" lists the groups.`)
}

const columns = {
  id: 'id',
  group: 'group',
  name: 'name',
  email: 'email',
  active: 'activated',
  account: 'account',
  created: 'createdAt',
  'last login': 'lastLoginAt',
} as const

/** `listd identity set-password`: prompts for the new password, and ends the identity's sessions and its delay after failed logins. */
export async function setIdentityPasswordCommand(
  terminal: Terminal,
  options: OneIdentity & { passwordStdin?: true },
): Promise<void> {
  await withSchema(terminal, async (context) => {
    const found = await getIdentity(context, options)
    const { minPasswordLength: minLength } = found.settings
    const passwordHash = await readHash(context, { ...options, minLength })
    const ended = await change(context, found, { body: {}, passwordHash })
    terminal.stderr.write(`Set the password of ${nameOf(found)}. ${ended}\n`)
  })
}

/** `listd identity deactivate`: ends the identity's sessions too. */
export async function deactivateIdentityCommand(terminal: Terminal, options: OneIdentity): Promise<void> {
  await withSchema(terminal, async (context) => {
    const found = await getIdentity(context, options)
    const ended = await change(context, found, { body: { activated: false } })
    terminal.stderr.write(`Deactivated ${nameOf(found)}. ${ended}\n`)
  })
}

/** @throws Error with a sentence when there is none */
async function getIdentity(
  { db }: CommandContext,
  { identity: ref, account: named }: OneIdentity,
): Promise<GroupedIdentity> {
  const account = await chooseAccount(db, named)
  const found = await findIdentityByRef(db, account.id, ref)
  if (found) return found
  throw new Error(`the account "${account.name}" has no identity "${ref}"; "listd identity list" lists its identities.`)
}

/** @returns a sentence about the sessions that have ended */
async function change(
  context: CommandContext,
  { identity: { id: identityId, accountId } }: GroupedIdentity,
  what: { body: IdentityBody; passwordHash?: string },
): Promise<string> {
  const eventId = newId()
  const changed = await context.db.transaction((tx) =>
    changeIdentity(tx, { accountId, identityId, ...what, actor: null, eventId }),
  )
  if (!changed) throw new Error('the identity was deleted in the meantime.')
  return notifyOfEnded(context, changed.ended, 'revoked-identity', { identityId } satisfies IdentityRevoked)
}

function nameOf({ identity: { group, name } }: GroupedIdentity): string {
  return group === null ? `the identity ${name}` : `the identity ${group}/${name}`
}
