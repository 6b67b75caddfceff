import type { UserPrincipal } from '#services/gateway/request/principal.ts'
import { findFlowById } from '#shared/data/flows/flows.ts'
import type { FlowDefinition } from '#shared/domain/flow/fields.ts'
import type { FlowRunRecord } from '#shared/domain/flow/run/run-record.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import { findCallingIdentity } from '../calls/caller.ts'
import { readInput } from '../calls/run-input.ts'
import { runOnRecord } from '../calls/run-on-record.ts'
import { getFlow } from '../definitions/load-flow.ts'
import type { FlowRunDeps } from './context.ts'
import { getRun } from './list-runs.ts'

/** A run that a person starts. */
export type HandRun = {
  principal: UserPrincipal
  requestId: string
  /** The identity that the flow sees as its caller; absent: none. */
  identityId?: string | undefined
}

/**
 * Runs a flow, activated or not.
 * @param run.flow its id or name
 * @param run.input JSON text; empty: the input is null
 * @param run.isDry the run reads stored items, but writes and emits nothing, and is not recorded
 * @returns the run, also one that was rejected or has failed
 * @throws REQUESTED_ENTITY_NOT_FOUND, VALIDATION_FAILED for an unknown identity, RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE
 */
export async function runByHand(
  deps: FlowRunDeps,
  { flow, ...run }: HandRun & { flow: string; input: string; isDry: boolean },
): Promise<FlowRunRecord> {
  const definition = await getFlow(deps, { principal: run.principal, flow, action: 'run' })
  return runDefinition(deps, { ...run, definition })
}

/**
 * Runs the current version of a flow with the input and the seed of a run on record.
 * @returns the new run, as `runByHand` does
 * @throws REQUESTED_ENTITY_NOT_FOUND for an unknown run and for one of a deleted flow; FLOW_RUN_NOT_REPEATABLE; VALIDATION_FAILED
 *   for an unknown identity; RATE_LIMIT_EXCEEDED; SERVICE_UNAVAILABLE
 */
export async function repeatRun(
  deps: FlowRunDeps,
  { run: id, ...run }: HandRun & { run: string },
): Promise<FlowRunRecord> {
  const { accountId } = run.principal
  const { flowId, input, seed } = await getRun(deps, { accountId, run: id })
  const definition = await findFlowById(deps.db, { accountId, flowId })
  if (!definition) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  if (input === null) throw new AppError('FLOW_RUN_NOT_REPEATABLE')
  return runDefinition(deps, { ...run, definition, input, seed, isDry: false })
}

type DefinedRun = HandRun & { definition: FlowDefinition; input: string; seed?: string; isDry: boolean }

async function runDefinition(deps: FlowRunDeps, { input, identityId, ...run }: DefinedRun): Promise<FlowRunRecord> {
  const { accountId } = run.principal
  const identity = identityId === undefined ? null : await findCallingIdentity(deps.db, { accountId, identityId })
  if (identityId !== undefined && !identity) {
    throw validationFailed([{ path: 'identityId', message: 'must be the id of an identity of the account' }])
  }
  const parsed = await deps.parsedFlows(run.definition, { isAnybody: false })
  const ended = await runOnRecord(deps, {
    ...run,
    identityId,
    parsed,
    limits: run.principal.limits,
    runId: deps.newId(),
    trigger: 'hand',
    input: readInput(input, parsed.flow.entry),
    caller: async () => ({ identity, token: null }),
  })
  return ended.record()
}
