import { randomBytes } from 'node:crypto'
import { retryOnConflict } from '#shared/data/conflict.ts'
import { flowRunRows } from '#shared/data/flows/flow-runs.ts'
import { findFlowByEndpoint } from '#shared/data/flows/flows.ts'
import type { IdempotencyKey } from '#shared/data/items/idempotency-records.ts'
import { insertRow } from '#shared/data/sql/insert-rows.ts'
import type { Actor } from '#shared/domain/actor.ts'
import type { FlowDefinition } from '#shared/domain/flow/fields.ts'
import { failureReport, reportOf } from '#shared/domain/flow/report.ts'
import type { FlowRunStatus } from '#shared/domain/flow/run-record.ts'
import type { PlanLimits } from '#shared/domain/plan/plan.ts'
import { AppError } from '#shared/errors.ts'
import { authorize } from '../../auth/authorize.ts'
import { notFoundOrForbidden } from '../../auth/not-found.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { Response } from '../../request/response.ts'
import type { SchemaValidator } from '../../validation/schema-validator.ts'
import { openKey } from '../items/idempotent-request.ts'
import { answerAgain, answerOf, failureOf, runHeaders } from './answer.ts'
import { callerOf } from './caller.ts'
import type { FlowDeps } from './context.ts'
import { parsedFlow } from './parsed-flows.ts'
import { type Ended, maxAttempts, runAndCommit } from './run-flow.ts'
import { type Input, inputError, readInput, type SentInput } from './run-input.ts'

/** A request that calls a flow. */
export type FlowCall = {
  principal: AuthenticatedPrincipal
  requestId: string
  sent: SentInput
  idempotencyKey: string | undefined
}

export type CallDeps = FlowDeps & { schemas: Pick<SchemaValidator, 'validator'> }

/**
 * Runs the flow that a request to its endpoint starts, and answers as the run does; or as the run did that the same request with the
 * same idempotency key started.
 * @param endpoint.path what stands behind `/flows/`
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED; VALIDATION_FAILED for an input that the schema refuses; FLOW_FAILED,
 *   FLOW_CONFLICT, IDEMPOTENCY_KEY_REUSED, SERVICE_UNAVAILABLE
 */
export async function callFlow(
  deps: CallDeps,
  { method, path, ...call }: FlowCall & { method: string; path: string },
): Promise<Response> {
  const { principal } = call
  const { accountId } = principal
  const definition = await findFlowByEndpoint(deps.db, { accountId, method, path })
  if (!definition?.activated) throw notFoundOrForbidden(principal, 'run', 'flow')
  authorize(principal, { action: 'run', resourceType: 'flow', flowId: definition.id })
  const input = readInput(call.sent, parsedFlow(definition).flow.entry)
  const content = () => ['run', input.text]
  return retryOnConflict('key', async () => {
    using once = await openKey(deps, { ...call, subjectId: definition.id, content })
    return once.made === undefined
      ? await answerRun(deps, definition, { ...call, limits: principal.limits, input, key: once.key })
      : answerAgain(once.made)
  })
}

/** A call that may run its flow. */
type RunCall = {
  /** Who calls; null: nobody who is known. */
  principal: AuthenticatedPrincipal | null
  /** Of the account of the flow. */
  limits: PlanLimits | null
  requestId: string
  input: Input
  key?: IdempotencyKey | undefined
}

/**
 * Runs a flow and answers as the run does.
 * @throws what `callFlow` throws of the run; Conflict on its key
 */
export async function answerRun(deps: CallDeps, definition: FlowDefinition, call: RunCall): Promise<Response> {
  const runId = deps.newId()
  try {
    return answerOf(await run(deps, definition, { ...call, runId }), runId)
  } catch (error) {
    if (error instanceof AppError) error.headers = { ...error.headers, ...runHeaders(runId) }
    throw error
  }
}

/** Runs a flow and keeps the run on record, a good one in its own transaction. */
async function run(deps: CallDeps, definition: FlowDefinition, call: RunCall & { runId: string }) {
  const { principal, limits, requestId, runId, input, key } = call
  const { accountId } = definition
  const parsed = parsedFlow(definition)
  const { flow } = parsed
  const [seed, startedAt, start] = [randomBytes(16).toString('hex'), deps.now(), performance.now()]

  const rowOf = (status: FlowRunStatus, ended: { attempts: number; fuel: number; report: string }) =>
    flowRunRows([
      {
        id: runId,
        accountId,
        flowId: definition.id,
        flowVersion: definition.version,
        status,
        trigger: 'endpoint',
        requestId,
        createdAt: startedAt,
        durationMs: Math.round(performance.now() - start),
        seed,
        input: input.text.length > maxInputLength ? null : input.text,
        ...ended,
      },
    ])
  const endOf = ({ result, attempts, skipped }: Ended) => {
    return { attempts, fuel: result.fuel, report: reportOf(result, skipped) }
  }

  const refused = await inputError(deps.schemas, accountId, { entry: flow.entry, text: input.text })
  if (refused) {
    await insertRow(deps.db, rowOf('refused', { attempts: 0, fuel: 0, report: failureReport(refused) }))
    throw refused
  }
  const ended = await runAndCommit(deps, {
    flow,
    principal: { mode: 'flow', accountId, limits, actor: actorOf(principal, { flowId: definition.id, runId }) },
    requestId,
    key,
    request: {
      about: { id: definition.id, name: flow.name, runId },
      input: input.value,
      ...(await callerOf(deps.db, principal, parsed)),
      now: startedAt,
      seed,
    },
    rowsOf: (done) => (definition.logged === 'all' ? [rowOf('succeeded', endOf(done))] : []),
  }).catch(async (error) => {
    if (error instanceof AppError && error.name === 'FLOW_CONFLICT') {
      await insertRow(deps.db, rowOf('failed', { attempts: maxAttempts, fuel: 0, report: failureReport(error) }))
    }
    throw error
  })
  const { outcome } = ended.result
  if (outcome.kind === 'answered') return outcome
  await insertRow(deps.db, rowOf('failed', endOf(ended)))
  throw failureOf(outcome)
}

/** A longer input is not kept with its run. */
const maxInputLength = 64 * 1024

function actorOf(principal: AuthenticatedPrincipal | null, run: { flowId: string; runId: string }): Actor {
  const { tokenId = null, identityId = null } = principal?.actor ?? {}
  return { authMode: 'flow', tokenId, identityId, ...run }
}
