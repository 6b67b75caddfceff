import type { LoggedEvent } from '#shared/data/events/events.ts'
import type { Actor } from '#shared/domain/actor.ts'
import { type Group, toGroupJson } from '#shared/domain/identity/group-fields.ts'

/** The event log's entry for a change of a group, in the stream of identities. */
export function groupEvent(
  type: 'identity-group-created' | 'identity-group-updated' | 'identity-group-deleted',
  group: Group,
  { id, actor, at }: { id: string; actor: Actor; at: number },
): LoggedEvent {
  return {
    ...{ id, accountId: group.accountId, createdAt: at, stream: 'identity', type },
    ...{ modelId: group.id, listId: null, actor, snapshot: JSON.stringify(toGroupJson(group)) },
  }
}
