import type { LoggedEvent } from '#shared/data/events/events.ts'
import type { Actor } from '#shared/domain/actor.ts'
import { type FlowDefinition, serializeFlowSettings } from '#shared/domain/flow/fields.ts'

/** The event log's entry for a change of a flow; its snapshot leaves out the document and the tests, which the versions have. */
export function flowEvent(
  type: 'flow-created' | 'flow-updated' | 'flow-deleted',
  flow: FlowDefinition,
  { id, actor, now }: { id: string; actor: Actor; now: number },
): LoggedEvent {
  return {
    id,
    accountId: flow.accountId,
    createdAt: now,
    stream: 'flow',
    type,
    modelId: flow.id,
    listId: null,
    actor,
    snapshot: serializeFlowSettings(flow),
  }
}
