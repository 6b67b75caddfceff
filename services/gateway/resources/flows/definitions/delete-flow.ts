import { notFoundOrForbidden } from '#services/gateway/auth/not-found.ts'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import { insertEvents } from '#shared/data/events/events.ts'
import { lockFlow, removeFlow } from '#shared/data/flows/flows.ts'
import type { FlowDefinitionDeps } from './context.ts'
import { flowEvent } from './flow-event.ts'
import { getFlow } from './load-flow.ts'

/**
 * Deletes a flow with its versions; its name and path are free at once. Its runs are deleted in the background (`flow-purge.ts`).
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED
 */
export async function deleteFlow(
  deps: FlowDefinitionDeps,
  { principal, flow: ref }: { principal: AuthenticatedPrincipal; flow: string },
): Promise<void> {
  const { accountId, actor } = principal
  const key = { accountId, flowId: (await getFlow(deps, { principal, flow: ref, action: 'delete' })).id }
  const [now, eventId] = [deps.now(), deps.newId()]
  await deps.db.transaction(async (tx) => {
    const flow = await lockFlow(tx, key)
    if (!flow) throw notFoundOrForbidden(principal, 'delete', 'flow')
    await removeFlow(tx, key, await tx.now())
    await insertEvents(tx, [flowEvent('flow-deleted', flow, { id: eventId, actor, now })])
  })
}
