import type { Actor } from '#shared/domain/actor.ts'
import type { Identity } from '#shared/domain/identity/identity.ts'
import { toIdentityJson } from '#shared/domain/identity/json.ts'
import type { LoggedEvent } from '../events/events.ts'

type Details = {
  id: string
  /** Null: the operator, on the command line. */
  actor: Actor | null
  /** Epoch milliseconds. */
  at: number
  attachments?: Record<string, unknown>
}

/** The event log's entry for a change of an identity; neither its email nor its password is in it. */
export function identityEvent(
  type: 'identity-created' | 'identity-updated' | 'identity-deleted',
  identity: Identity,
  { id, actor, at, attachments }: Details,
): LoggedEvent {
  return {
    id,
    accountId: identity.accountId,
    createdAt: at,
    stream: 'identity',
    type,
    modelId: identity.id,
    listId: null,
    actor,
    snapshot: JSON.stringify(toIdentityJson(identity)),
    ...(attachments && { attachments }),
  }
}
