import type { LoggedEvent } from '#shared/data/events/events.ts'
import type { Actor } from '#shared/domain/actor.ts'
import { type List, serializeList } from '#shared/domain/list/fields.ts'

/**
 * The event log's entry for a change of a list.
 * @param options.before the previous state: streams also receive the change that ends them
 */
export function listEvent(
  type: 'list-created' | 'list-updated' | 'list-deleted',
  list: List,
  { id, actor, at, before = list }: { id: string; actor: Actor; at: number; before?: List },
): LoggedEvent {
  return {
    id,
    accountId: list.accountId,
    createdAt: at,
    stream: 'list',
    type,
    modelId: list.id,
    listId: list.id,
    actor,
    snapshot: serializeList(list),
    ...((list.realtime || before.realtime) && { realtime: true }),
  }
}
