import type { AccountRevoked } from '#shared/bus/messages/revocation.ts'
import type { Config } from '#shared/config/load.ts'
import { startingPlan } from '#shared/config/plans.ts'
import { newId } from '#shared/crypto/ids.ts'
import { accountLimits, countedThings, countInAccount } from '#shared/data/accounts/account-limits.ts'
import { createAccount, listAccounts, setPlan } from '#shared/data/accounts/accounts.ts'
import { addCredits } from '#shared/data/accounts/request-months.ts'
import { readStoredBytes, recountStoredBytes } from '#shared/data/items/stored-bytes.ts'
import { lockInstallation } from '#shared/data/settings/settings.ts'
import { lengths } from '#shared/domain/limits.ts'
import { limitsOfPlan, type PlanLimits } from '#shared/domain/plan/plan.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { nearest } from '#shared/domain/text/nearest.ts'
import { notifyGateways } from '../../notify-gateways.ts'
import { formatTime, listing, maxRows, withinLimit } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { type CommandContext, chooseAccount, withSchema } from '../database/database.ts'

/** `listd account create`: prints the account's id. Commands choose accounts by name, so names are unique. */
export async function createAccountCommand(terminal: Terminal, options: { name: string }): Promise<void> {
  const name = options.name.trim().normalize('NFC')
  if (name === '' || name.length > lengths.name) {
    throw new Error(`--name must be 1 to ${lengths.name} characters.`)
  }
  await withSchema(terminal, async ({ db }) => {
    const account = await db.transaction(async (tx) => {
      await lockInstallation(tx)
      if ((await listAccounts(tx, { named: name, limit: 1 })).length > 0) return null
      return createAccount(tx, { id: newId(), name, plan: startingPlan, now: await tx.now() })
    })
    if (!account) throw new Error(`an account "${name}" already exists.`)
    terminal.stderr.write(`Created the account "${name}" on the plan ${account.plan}.\n`)
    terminal.stdout.write(`${account.id}\n`)
  })
}

/** `listd account list`. */
export async function listAccountsCommand(terminal: Terminal, { json }: { json?: true }): Promise<void> {
  await withSchema(terminal, async ({ db }) => {
    const found = withinLimit(terminal, await listAccounts(db, { limit: maxRows + 1 }))
    const rows = found.map(({ id, name, plan, createdAt }) => ({ id, name, plan, createdAt: formatTime(createdAt) }))
    const columns = { id: 'id', name: 'name', plan: 'plan', created: 'createdAt' } as const
    terminal.stdout.write(listing(rows, { columns, json }))
  })
}

/** `listd account set-plan`: applies from the next request on. Anything beyond the new plan's limits stays. */
export async function setPlanCommand(
  terminal: Terminal,
  { account: named, plan }: { account?: string; plan: string },
): Promise<void> {
  await withSchema(terminal, async (context) => {
    const limits = knownLimits(context.config, plan)
    const account = await chooseAccount(context.db, named)
    const { id: accountId } = account
    await setPlan(context.db, { accountId, plan, now: Date.now() })
    const notified = await notifyGateways(context, 'revoked-account', { accountId } satisfies AccountRevoked)
    terminal.stderr.write(`Moved the account "${account.name}" from the plan ${account.plan} to ${plan}; ${notified}\n`)
    await warnOfExcess(context, { accountId, limits })
  })
}

/** `listd account add-credits`: requests in addition to the plan, which carry over to the next months. */
export async function addCreditsCommand(
  terminal: Terminal,
  { account: named, credits }: { account?: string; credits: string },
): Promise<void> {
  const added = Number(credits)
  if (!/^-?\d{1,12}$/.test(credits)) throw new Error(`--credits must be a whole number, not "${credits}".`)
  await withSchema(terminal, async ({ db }) => {
    const account = await chooseAccount(db, named)
    const left = await addCredits(db, account.id, added)
    terminal.stderr.write(
      `The account "${account.name}" has ${counted(left, 'credit')}; gateways notice within seconds.\n`,
    )
  })
}

/** One statement reads a whole list; ten million items take minutes. */
const recountMs = 3_600_000

/** `listd account recount`: recounts the stored bytes, while gateways write. */
export async function recountCommand(terminal: Terminal, { account: named }: { account?: string }): Promise<void> {
  const work = async ({ db }: CommandContext) => {
    const account = await chooseAccount(db, named)
    const { lists, difference } = await recountStoredBytes(db, account.id)
    const bytes = counted(await readStoredBytes(db, account.id), 'byte')
    const change =
      difference === 0
        ? 'as counted before'
        : `${counted(Math.abs(difference), 'byte')} ${difference > 0 ? 'more' : 'fewer'} than counted before`
    terminal.stderr.write(
      `The items of the account "${account.name}" have ${bytes} in ${counted(lists, 'list')}: ${change}.\n`,
    )
  }
  await withSchema(terminal, work, { statementMs: recountMs })
}

/** @throws Error that lists the plans */
function knownLimits({ plans }: Config, plan: string): PlanLimits {
  if (Object.hasOwn(plans, plan)) return limitsOfPlan(plans[plan])
  const ids = Object.keys(plans)
  throw new Error(`there is no plan "${plan}"; the plans are ${ids.join(', ')}. Did you mean ${nearest(plan, ids)}?`)
}

async function warnOfExcess(
  { terminal, db }: CommandContext,
  { accountId, limits }: { accountId: string; limits: PlanLimits },
): Promise<void> {
  for (const limit of accountLimits) {
    const max = limits[limit]
    const count = max === null ? 0 : await countInAccount(db, { accountId, limit })
    if (max === null || count <= max) continue
    const counts = `It has ${count} ${countedThings[limit]} and the plan allows ${max}`
    terminal.stderr.write(`${counts}: all keep working, but none can be added.\n`)
  }
}
