import type { Event } from '../../../../client/src/resources.ts'
import { route } from '../../../../client/src/transport.ts'

/** The kinds of resources in the log, and what happens to each. */
export const eventTypes: Readonly<Record<Event['stream'], readonly string[]>> = {
  item: ['item-created', 'item-updated', 'item-restored', 'item-deleted'],
  list: ['list-created', 'list-updated', 'list-deleted'],
  index: ['index-created', 'index-updated', 'index-built', 'index-build-failed', 'index-deleted'],
  identity: [
    'identity-created',
    'identity-updated',
    'identity-deleted',
    'identity-group-created',
    'identity-group-updated',
    'identity-group-deleted',
  ],
  token: ['token-created', 'token-updated', 'token-rotated', 'token-locked', 'token-unlocked', 'token-deleted'],
  webhook: [
    'webhook-created',
    'webhook-updated',
    'webhook-secret-replaced',
    'webhook-disabled',
    'webhook-backlog-full',
    'webhook-deleted',
  ],
  flow: ['flow-created', 'flow-updated', 'flow-deleted'],
  user: ['user-created', 'user-updated', 'user-enabled', 'user-disabled', 'user-deleted'],
}

/** What happened, in words: "item updated". */
export const eventWords = (type: string) => type.replaceAll('-', ' ')

/** Where the thing stands in the dashboard; null: nowhere, or it has gone with this event. */
export function placeOf({ stream, type, modelId, listId }: Event): string | null {
  if (type.endsWith('-deleted') && stream !== 'item') return null
  if (stream === 'item') return listId && route`/lists/${listId}/items/${modelId}`
  if (stream === 'list') return route`/lists/${modelId}`
  if (stream === 'index') return listId && route`/lists/${listId}/indexes`
  if (type.startsWith('identity-group')) return route`/identity-groups/${modelId}`
  if (stream === 'identity') return route`/identities/${modelId}`
  if (stream === 'webhook') return route`/webhooks/${modelId}`
  return stream === 'token' ? route`/tokens/${modelId}` : null
}
