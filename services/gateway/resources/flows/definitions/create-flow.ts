import { isAllowed } from '#services/gateway/auth/authorize.ts'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import { assertRoomInAccount } from '#shared/data/accounts/account-limits.ts'
import { insertEvents } from '#shared/data/events/events.ts'
import { insertFlow } from '#shared/data/flows/flows.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import type { FlowChecked, FlowTexts } from '#shared/domain/flow/definition.ts'
import { type FlowDefinition, flowFields } from '#shared/domain/flow/fields.ts'
import { AppError } from '#shared/errors.ts'
import { assertValid } from './check-document.ts'
import type { FlowDefinitionDeps } from './context.ts'
import { flowEvent } from './flow-event.ts'
import { unlessTaken } from './taken.ts'

/** A flow after a write, and what is found in its texts: warnings, and of texts that were saved before errors too. */
export type WrittenFlow = { flow: FlowDefinition } & Pick<FlowChecked, 'diagnostics'>

export type FlowSettings = Partial<Pick<FlowDefinition, 'activated' | 'logged'>>

/**
 * Creates a flow, whose document has no errors and whose tests pass.
 * @throws TOKEN_NOT_AUTHORIZED, FLOW_INVALID, FLOW_TESTS_FAILED, MAX_FLOWS_EXCEEDED, FLOW_NAME_TAKEN, FLOW_PATH_TAKEN, SERVICE_UNAVAILABLE
 */
export async function createFlow(
  deps: FlowDefinitionDeps,
  { principal, texts, settings }: { principal: AuthenticatedPrincipal; texts: FlowTexts; settings: FlowSettings },
): Promise<WrittenFlow> {
  // A rule that names flows cannot name one that does not exist yet.
  if (!isAllowed(principal, { action: 'create', resourceType: 'flow' })) throw new AppError('TOKEN_NOT_AUTHORIZED')
  const { accountId, actor, limits } = principal
  const { fields, uses, diagnostics } = await assertValid(deps, { principal, ...texts })
  const now = deps.now()
  const own = { id: deps.newId(), accountId, createdAt: now, updatedAt: now }
  const flow = { ...initialValues(flowFields), ...settings, ...texts, ...fields, ...own }
  const event = flowEvent('flow-created', flow, { id: deps.newId(), actor, now })
  await unlessTaken(deps.db, flow, () =>
    deps.db.transaction(async (tx) => {
      await assertRoomInAccount(tx, { accountId, limit: 'maxFlows', added: 1, max: limits?.maxFlows ?? null })
      await insertFlow(tx, flow, uses)
      await insertEvents(tx, [event])
    }),
  )
  return { flow, diagnostics }
}
