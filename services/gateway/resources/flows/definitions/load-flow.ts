import { authorize } from '#services/gateway/auth/authorize.ts'
import { notFoundOrForbidden } from '#services/gateway/auth/not-found.ts'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import { findFlow } from '#shared/data/flows/flows.ts'
import type { Action } from '#shared/domain/access/permission-rule.ts'
import type { FlowDefinition } from '#shared/domain/flow/fields.ts'
import { lengths } from '#shared/domain/limits.ts'
import type { FlowDefinitionDeps } from './context.ts'

/** The flow of a request by id or name, and the action on it. */
export type FlowRequest = { principal: AuthenticatedPrincipal; flow: string; action: Action }

/** @throws REQUESTED_ENTITY_NOT_FOUND or TOKEN_NOT_AUTHORIZED, as `authorize` decides */
export async function getFlow(
  { db }: Pick<FlowDefinitionDeps, 'db'>,
  { principal, flow: ref, action }: FlowRequest,
): Promise<FlowDefinition> {
  const isName = ref.length <= 2 * lengths.name && !ref.includes('\u0000') && ref.isWellFormed()
  const flow = isName ? await findFlow(db, { accountId: principal.accountId, ref }) : null
  if (!flow) throw notFoundOrForbidden(principal, action, 'flow')
  authorize(principal, { action, resourceType: 'flow', flowId: flow.id })
  return flow
}
