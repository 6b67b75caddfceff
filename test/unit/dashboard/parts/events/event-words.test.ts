import test from 'ava'
import type { Event } from '#client/src/types/resources.ts'
import { placeOf } from '#services/dashboard/parts/events/event-words.ts'

const at = '2026-11-26T00:00:00.000Z'
const event = (stream: Event['stream'], type: string, listId: string | null = null): Event => {
  return { id: 'E', createdAt: at, updatedAt: at, stream, type, modelId: 'M', listId, version: null, actor: null }
}

test('a resource is linked to its page, even a deleted item, and everything else only while it exists', (t) => {
  t.is(placeOf(event('item', 'item-updated', 'L')), '/lists/L/items/M')
  t.is(placeOf(event('item', 'item-deleted', 'L')), '/lists/L/items/M')
  t.is(placeOf(event('list', 'list-updated', 'M')), '/lists/M')
  t.is(placeOf(event('list', 'list-deleted', 'M')), null)
  t.is(placeOf(event('index', 'index-built', 'L')), '/lists/L/indexes')
  t.is(placeOf(event('identity', 'identity-updated')), '/identities/M')
  t.is(placeOf(event('identity', 'identity-group-updated')), '/identity-groups/M')
  t.is(placeOf(event('token', 'token-rotated')), '/tokens/M')
  t.is(placeOf(event('webhook', 'webhook-disabled')), '/webhooks/M')
  t.is(placeOf(event('user', 'user-created')), null)
})
