import { authorize } from '#services/gateway/auth/authorize.ts'
import { notFoundOrForbidden } from '#services/gateway/auth/not-found.ts'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import type { Response } from '#services/gateway/request/response.ts'
import { retryOnConflict } from '#shared/data/conflict.ts'
import { findFlowByEndpoint } from '#shared/data/flows/flows.ts'
import type { IdempotencyKey } from '#shared/data/items/idempotency-records.ts'
import type { FlowDefinition } from '#shared/domain/flow/fields.ts'
import type { PlanLimits } from '#shared/domain/plan/plan.ts'
import { AppError } from '#shared/errors.ts'
import { openKey } from '../../items/writing/idempotent-request.ts'
import { answerAgain, answerOf, withRun } from './answer.ts'
import { callerOf } from './caller.ts'
import type { CallDeps } from './context.ts'
import type { ParsedFlow } from './parsed-flows.ts'
import { type Input, readInput, type SentInput } from './run-input.ts'
import { runOnRecord } from './run-on-record.ts'

/** A request that calls a flow. */
export type FlowCall = {
  principal: AuthenticatedPrincipal
  requestId: string
  sent: SentInput
  idempotencyKey: string | undefined
}

/**
 * Runs the flow of an endpoint, and returns the answer of the run. If the same request was sent before with the same idempotency key,
 * returns the answer of that run instead.
 * @param endpoint.path what follows `/flows/`
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED; VALIDATION_FAILED for an input that the schema rejects; FLOW_FAILED,
 *   FLOW_CONFLICT, IDEMPOTENCY_KEY_REUSED, RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE
 */
export async function callFlow(
  deps: CallDeps,
  { method, path, ...call }: FlowCall & { method: string; path: string },
): Promise<Response> {
  const { principal } = call
  const definition = await getCalledFlow(deps, principal, { method, path })
  const parsed = await deps.parsedFlows(definition, { isAnybody: false })
  const input = readInput(call.sent, parsed.flow.entry)
  const content = () => ['run', input.text]
  return retryOnConflict('key', async () => {
    using once = await openKey(deps, { ...call, subjectId: definition.id, content })
    return once.earlier === undefined
      ? await answerRun(deps, definition, {
          parsed,
          principal,
          limits: principal.limits,
          requestId: call.requestId,
          input,
          key: once.key,
        })
      : answerAgain(once.earlier, definition.id)
  })
}

/** The flow of an endpoint, if the principal may run it. @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED */
async function getCalledFlow(
  { db }: CallDeps,
  principal: AuthenticatedPrincipal,
  endpoint: { method: string; path: string },
): Promise<FlowDefinition> {
  const definition = await findFlowByEndpoint(db, { accountId: principal.accountId, ...endpoint })
  if (!definition?.activated) throw notFoundOrForbidden(principal, 'run', 'flow')
  authorize(principal, { action: 'run', resourceType: 'flow', flowId: definition.id })
  return definition
}

/** A call that may run its flow. */
type RunCall = {
  parsed: ParsedFlow
  /** The caller; null: unknown. */
  principal: AuthenticatedPrincipal | null
  /** The limits of the account of the flow; null: none. */
  limits: PlanLimits | null
  requestId: string
  input: Input
  key?: IdempotencyKey | undefined
}

/**
 * Runs a flow, and returns the answer of the run.
 * @throws the errors of a run that `callFlow` names; Conflict on the idempotency key
 */
export async function answerRun(deps: CallDeps, definition: FlowDefinition, call: RunCall): Promise<Response> {
  const run = { flowId: definition.id, runId: deps.newId() }
  const caller = () => callerOf(deps.db, call.principal, call.parsed)
  const trigger = call.principal === null ? 'public' : 'endpoint'
  try {
    const ended = await runOnRecord(deps, { ...call, definition, runId: run.runId, trigger, caller })
    if ('error' in ended) throw ended.error
    return answerOf(ended.answered, run)
  } catch (error) {
    throw error instanceof AppError ? withRun(error, run) : error
  }
}
