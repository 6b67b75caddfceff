import type { Actor } from '#shared/domain/actor.ts'
import { type ApiToken, toTokenJson } from '#shared/domain/token/fields.ts'
import type { LoggedEvent } from '../events/events.ts'

export type TokenEventType =
  | 'token-created'
  | 'token-updated'
  | 'token-rotated'
  | 'token-locked'
  | 'token-unlocked'
  | 'token-deleted'

/** The event log's entry for a change of an API token. @param of.actor null: the operator, on the command line */
export function tokenEvent(
  type: TokenEventType,
  token: ApiToken,
  { id, actor, now }: { id: string; actor: Actor | null; now: number },
): LoggedEvent {
  return {
    id,
    accountId: token.accountId,
    createdAt: now,
    stream: 'token',
    type,
    modelId: token.id,
    listId: null,
    actor,
    snapshot: JSON.stringify(toTokenJson(token)),
  }
}
