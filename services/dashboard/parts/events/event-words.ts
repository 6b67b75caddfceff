import { route } from '#client/src/transport.ts'
import type { Event } from '#client/src/types/resources.ts'

/** An event type in words, for example "item updated". */
export const eventWords = (type: string) => type.replaceAll('-', ' ')

/** The address of the resource in the dashboard; null: it has none, or this event deleted it. */
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
