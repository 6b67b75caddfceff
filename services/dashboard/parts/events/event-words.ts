import { route } from '#client/src/transport.ts'
import type { Event } from '#client/src/types/resources.ts'

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
