import type { GroupRevoked } from '#shared/bus/messages/revocation.ts'
import { newId } from '#shared/crypto/ids.ts'
import { isUniqueViolation } from '#shared/data/database-errors.ts'
import { addGroup, changeGroup, removeGroup } from '#shared/data/identities/group-changes.ts'
import { findGroup, listGroups } from '#shared/data/identities/identity-groups.ts'
import { groupNameErrors } from '#shared/domain/group-name.ts'
import { type Group, type GroupBody, groupFields } from '#shared/domain/identity/group-fields.ts'
import type { FieldError } from '#shared/errors.ts'
import { notifyGateways } from '../../notify-gateways.ts'
import { formatTime, listing, maxRows, withinLimit } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { accountNames, type CommandContext, chooseAccount, withSchema } from '../database/database.ts'
import { throwIfInvalid } from '../throw-if-invalid.ts'

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
      ...group,
      account: names.get(group.accountId) ?? null,
      createdAt: formatTime(createdAt),
      updatedAt: formatTime(updatedAt),
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

/** The settings of a group as options of a command; a setting without an option stays unchanged. */
export type GroupOptions = {
  account?: string
  sessionLifetimeSeconds?: string
  /** `none`: unused sessions do not end early. */
  sessionIdleSeconds?: string
  requireEmail?: boolean
  requireVerifiedEmail?: boolean
  minPasswordLength?: string
}

/** `listd group create`: prints the group's id. */
export async function createGroupCommand(terminal: Terminal, options: GroupOptions & { name: string }): Promise<void> {
  const { name } = options
  throwIfInvalid(groupNameErrors(name, '--name'))
  const settings = readSettings(options)
  await withSchema(terminal, async ({ db }) => {
    const { id: accountId } = await chooseAccount(db, options.account)
    const group = { id: newId(), accountId, name, settings, actor: null, eventId: newId() }
    await db
      .transaction((tx) => addGroup(tx, group))
      .catch((error: unknown) => {
        if (isUniqueViolation(error)) throw new Error(`a group "${name}" already exists.`)
        throw error
      })
    terminal.stderr.write(`Created the group "${name}".\n`)
    terminal.stdout.write(`${group.id}\n`)
  })
}

/** `listd group update`: changes the named settings, also for live sessions. */
export async function updateGroupCommand(terminal: Terminal, options: GroupOptions & { group: string }): Promise<void> {
  const settings = readSettings(options)
  if (Object.keys(settings).length === 0) throw new Error('specify at least one setting to change; --help lists them.')
  await withSchema(terminal, async (context) => {
    const { id, accountId, name } = await getGroup(context, options)
    const change = { id, accountId, settings, actor: null, eventId: newId() }
    if (!(await context.db.transaction((tx) => changeGroup(tx, change)))) throw groupGone()
    const revoked: GroupRevoked = { accountId, group: name }
    const notified = await notifyGateways(context, 'revoked-identity-group', revoked)
    terminal.stderr.write(`Changed the group "${name}"; ${notified}\n`)
  })
}

/** `listd group delete`: a group that has no identities. */
export async function deleteGroupCommand(
  terminal: Terminal,
  options: { group: string; account?: string },
): Promise<void> {
  await withSchema(terminal, async (context) => {
    const { id, accountId, name } = await getGroup(context, options)
    const removal = { id, accountId, actor: null, eventId: newId() }
    const outcome = await context.db.transaction((tx) => removeGroup(tx, removal))
    if (outcome === 'gone') throw groupGone()
    if (outcome === 'has identities') throw new Error(`the group "${name}" has identities; delete them first.`)
    terminal.stderr.write(`Deleted the group "${name}".\n`)
  })
}

/** @throws Error with a sentence when there is none */
async function getGroup(
  { db }: CommandContext,
  { group: ref, account: named }: { group: string; account?: string },
): Promise<Group> {
  const account = await chooseAccount(db, named)
  const found = await findGroup(db, account.id, ref)
  if (found) return found
  throw new Error(`the account "${account.name}" has no group "${ref}"; "listd group list" lists its groups.`)
}

function groupGone(): Error {
  return new Error('the group was deleted in the meantime.')
}

const integers = ['sessionLifetimeSeconds', 'sessionIdleSeconds', 'minPasswordLength'] as const
const flags = ['requireEmail', 'requireVerifiedEmail'] as const

/** @throws Error with one sentence for all errors of the options */
function readSettings(options: GroupOptions): GroupBody {
  const given = integers.filter((name) => options[name] !== undefined)
  const numbers = given.map((name) => [name, readInteger(name, options[name])] as const)
  throwIfInvalid(numbers.flatMap(([name, value]) => integerErrors(name, value)))
  const named = flags.filter((name) => options[name] !== undefined)
  return Object.fromEntries([...numbers, ...named.map((name) => [name, options[name]] as const)])
}

/** @returns NaN for anything that is not a whole number, null for `none` */
function readInteger(name: (typeof integers)[number], text = ''): number | null {
  if (text === 'none' && 'nullable' in groupFields[name]) return null
  return /^\d+$/.test(text) ? Number(text) : Number.NaN
}

function integerErrors(name: (typeof integers)[number], value: number | null): FieldError[] {
  const { min, max } = groupFields[name]
  if (value === null || (value >= min && value <= max)) return []
  const path = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  return [
    {
      path,
      message: `must be a whole number from ${min} to ${max}${'nullable' in groupFields[name] ? ', or none' : ''}`,
    },
  ]
}
