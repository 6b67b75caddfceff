import type { Webhook } from '#client/src/manage.ts'
import { formatJson, listing, maxRows } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { type ProfileOptions, withProfile } from '../sessions/with-profile.ts'

/** `listd webhooks list`: the webhooks of the account and their state; the JSON is that of the API. */
export async function listWebhooksCommand(
  terminal: Terminal,
  options: ProfileOptions & { json?: true },
): Promise<void> {
  const webhooks = await withProfile(terminal, options, (user) => user.webhooks.all().toArray(maxRows))
  terminal.stdout.write(options.json ? formatJson(webhooks) : listing(webhooks.map(rowOf), { columns }))
}

const columns = {
  id: 'id',
  url: 'url',
  events: 'events',
  state: 'state',
  waiting: 'waitingCount',
  held: 'held',
  missed: 'missedCount',
  'failed in a row': 'failureCount',
  description: 'description',
} as const

function rowOf({ id, url, events, waitingCount, missedCount, failureCount, description, ...webhook }: Webhook) {
  const held = webhook.heldIsAtLeast ? `over ${webhook.heldCount}` : webhook.heldCount
  const state = webhook.activated ? 'active' : (webhook.disabledReason ?? 'deactivated')
  const shownEvents = events.length > 0 ? events.join(', ') : 'of flows'
  return {
    id,
    url,
    events: shownEvents,
    state,
    waitingCount,
    held,
    missedCount,
    failureCount,
    description: description || null,
  }
}
