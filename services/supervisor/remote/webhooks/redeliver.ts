import type { RedeliverFields } from '#client/src/manage.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { confirm } from '../../terminal/confirm.ts'
import { formatJson } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { type ProfileOptions, type SignedInUser, withProfile } from '../sessions/with-profile.ts'
import { type DeliveryFilterOptions, deliveryFilters } from './delivery-filters.ts'

export type RedeliverOptions = ProfileOptions &
  DeliveryFilterOptions & { status: RedeliverFields['status']; dryRun?: true; yes?: true; json?: true }

/** How many deliveries are sent again, and how many their webhook has no room for. */
type Sum = { queued: number; skipped: number }

/**
 * `listd webhooks redeliver`: redelivers the matching settled deliveries of one webhook or of all. Counts them first, and asks for
 * confirmation.
 * @throws CommandFailed without confirmation, and for a failed call; standard error says how many were queued before it
 */
export async function redeliverCommand(
  terminal: Terminal,
  webhook: string | undefined,
  options: RedeliverOptions,
): Promise<void> {
  const filters = deliveryFilters(options)
  if (Object.keys(filters).length === 0) throw new Error(noFilter)
  const { dryRun, yes, json } = options
  await withProfile(terminal, options, async (user) => {
    const redelivery = { user, webhook, body: { status: options.status, ...filters } }
    let sum = await redeliver(terminal, redelivery, { dryRun: true })
    if (!dryRun && sum.queued > 0) {
      if (!yes) await ask(terminal, user, sum)
      sum = await redeliver(terminal, redelivery, { dryRun: false })
    }
    terminal.stdout.write(json ? formatJson(sum) : `${describe(sum, dryRun)}\n`)
  })
}

const noFilter =
  'choose deliveries with --start-at, --end-at, --event, --item, --error or --response-status; --dry-run only counts them.'

type Redelivery = { user: SignedInUser; webhook: string | undefined; body: RedeliverFields }

/** Continues until all deliveries were examined; a call examines a limited number. */
async function redeliver(
  { stderr }: Terminal,
  { user, webhook, body }: Redelivery,
  { dryRun }: { dryRun: boolean },
): Promise<Sum> {
  const sum = { queued: 0, skipped: 0 }
  const options = { dryRun, timeoutMs: 5 * 60_000 }
  let after: string | undefined
  do {
    const fields = { ...body, ...(after !== undefined && { after }) }
    const { redeliverAll, redeliverMatching } = user.webhooks
    const call = webhook === undefined ? redeliverAll(fields, options) : redeliverMatching(webhook, fields, options)
    const { queued, skipped, next } = await call.catch((error: unknown) => {
      const before = `${counted(sum.queued, 'delivery was', 'deliveries were')} queued before this:`
      if (sum.queued > 0 && !dryRun) stderr.write(`${before}\n`)
      throw error
    })
    sum.queued += queued
    sum.skipped += skipped
    after = next
  } while (after !== undefined)
  return sum
}

function ask(terminal: Terminal, { url }: SignedInUser, found: Sum): Promise<void> {
  return confirm(terminal, `${describe(found, true)} Send them again from ${url}?`, 'yes')
}

function describe({ queued, skipped }: Sum, dryRun: true | undefined): string {
  const done = dryRun
    ? `${counted(queued, 'delivery', 'deliveries')} would be sent again.`
    : `Queued ${counted(queued, 'delivery', 'deliveries')} to be sent again.`
  const noRoom = `There is no room for ${counted(skipped, 'other', 'others')}, because too many deliveries are waiting.`
  return skipped > 0 ? `${done} ${noRoom}` : done
}
