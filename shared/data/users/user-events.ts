import type { Actor } from '#shared/domain/actor.ts'
import { toUserJson, type User } from '#shared/domain/user/fields.ts'
import type { LoggedEvent } from '../events/events.ts'

/** The last three are written by commands only. */
export type UserEventType = 'user-created' | 'user-updated' | 'user-enabled' | 'user-disabled' | 'user-deleted'

/**
 * The event log's entry for a change of a user.
 * @param of.actor null: a command, or set-up
 * @param of.changed names of the changed fields; the only place that shows the change of a password
 */
export function userEvent(
  type: UserEventType,
  user: User,
  { id, actor, now, changed }: { id: string; actor: Actor | null; now: number; changed?: readonly string[] },
): LoggedEvent {
  return {
    id,
    accountId: user.accountId,
    createdAt: now,
    stream: 'user',
    type,
    modelId: user.id,
    listId: null,
    actor,
    snapshot: JSON.stringify(toUserJson(user)),
    ...(changed && { attachments: { changed } }),
  }
}
