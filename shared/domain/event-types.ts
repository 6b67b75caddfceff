/** The event types of the log (contract 2.6), by kind of resource. Each type begins with its kind. */
export const eventTypes = {
  list: ['list-created', 'list-updated', 'list-deleted'],
  item: ['item-created', 'item-updated', 'item-restored', 'item-deleted'],
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
    'webhook-behind',
    'webhook-caught-up',
    'webhook-backlog-full',
    'webhook-deleted',
  ],
  user: ['user-created', 'user-updated', 'user-enabled', 'user-disabled', 'user-deleted'],
  flow: ['flow-created', 'flow-updated', 'flow-deleted'],
} as const

export type EventStream = keyof typeof eventTypes
export type EventType = (typeof eventTypes)[EventStream][number]

export const eventStreams = Object.keys(eventTypes) as EventStream[]
