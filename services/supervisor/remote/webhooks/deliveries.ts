import { type CursorPage, route } from '#client/src/main.ts'
import type { Delivery } from '#client/src/manage.ts'
import { formatJson, listing, maxRows } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { type ProfileOptions, type SignedInUser, withProfile } from '../sessions/with-profile.ts'
import { type DeliveryFilterOptions, deliveryFilters } from './delivery-filters.ts'

export type DeliveriesOptions = ProfileOptions & DeliveryFilterOptions & { status?: string; limit: string; json?: true }

/** `listd webhooks deliveries`: the newest matching deliveries of one webhook or of all; the JSON is that of the API. */
export async function deliveriesCommand(
  terminal: Terminal,
  webhook: string | undefined,
  options: DeliveriesOptions,
): Promise<void> {
  const limit = readLimit(options.limit)
  const { rows, isMore } = await withProfile(terminal, options, (user) =>
    readDeliveries(user, { webhook, options, limit }),
  )
  terminal.stdout.write(options.json ? formatJson(rows) : listing(rows.map(rowOf), { columns }))
  if (isMore) terminal.stderr.write(`Only the newest ${limit} are shown; --limit shows more.\n`)
}

function readLimit(text: string): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= maxRows) return limit
  throw new Error(`--limit must be a number from 1 to ${maxRows}.`)
}

type Reading = { webhook: string | undefined; options: DeliveriesOptions; limit: number }

/** Pages may be short, because a call examines a limited number of deliveries. */
async function readDeliveries({ client }: SignedInUser, { webhook, options, limit }: Reading) {
  const call = webhook === undefined ? 'GET /deliveries' : route`GET /webhooks/${webhook}/deliveries`
  const query = { ...deliveryFilters(options), status: options.status, limit: Math.min(limit, 100) }
  const rows: Delivery[] = []
  let after: string | null = ''
  while (after !== null && rows.length <= limit) {
    const page: CursorPage<Delivery> = await client.send(call, { options: { ...query, after } })
    rows.push(...page.data)
    after = page.next
  }
  return { rows: rows.slice(0, limit), isMore: rows.length > limit || after !== null }
}

const columns = {
  created: 'createdAt',
  id: 'id',
  webhook: 'webhookId',
  event: 'event',
  item: 'itemId',
  status: 'status',
  attempts: 'attempts',
  outcome: 'outcome',
  'next attempt': 'nextAttemptAt',
} as const

function rowOf({ createdAt, id, webhookId, event, itemId, status, attempts, nextAttemptAt, ...last }: Delivery) {
  const outcome = last.response?.status ?? last.error
  return { createdAt, id, webhookId, event, itemId, status, attempts, outcome, nextAttemptAt }
}
