import { randomBytes } from 'node:crypto'
import { turnOf } from '#services/gateway/admission/long-flow-runs.ts'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import { flowRunRows } from '#shared/data/flows/flow-runs.ts'
import type { IdempotencyKey } from '#shared/data/items/idempotency-records.ts'
import { insertRow } from '#shared/data/sql/insert-rows.ts'
import type { Actor } from '#shared/domain/actor.ts'
import type { FlowDefinition } from '#shared/domain/flow/fields.ts'
import type { FlowAnswered } from '#shared/domain/flow/run/driver.ts'
import { failureReport, reportOf } from '#shared/domain/flow/run/report.ts'
import type { FlowRunRecord, FlowRunStatus, FlowTrigger, RunActor } from '#shared/domain/flow/run/run-record.ts'
import { timeOfId } from '#shared/domain/id.ts'
import type { PlanLimits } from '#shared/domain/plan/plan.ts'
import { AppError } from '#shared/errors.ts'
import { failureOf } from './answer.ts'
import type { Caller } from './caller.ts'
import type { CallDeps } from './context.ts'
import type { ParsedFlow } from './parsed-flows.ts'
import { FlowConflictError } from './run-conflict.ts'
import type { Ended } from './run-flow.ts'
import { maxAttempts, runAndCommit } from './run-flow.ts'
import type { Input } from './run-input.ts'
import { inputError } from './run-input.ts'

/** What to run, why and for whom. */
export type RunStart = {
  definition: FlowDefinition
  parsed: ParsedFlow
  runId: string
  trigger: FlowTrigger
  /** The caller that starts it; null: unknown. */
  principal: AuthenticatedPrincipal | null
  /** The identity that a user lets the flow see as its caller. */
  identityId?: string | undefined
  /** The limits of the account of the flow; null: none. */
  limits: PlanLimits | null
  requestId: string
  input: Input
  /** Reads the caller, as expressions see it; called after the input was accepted. */
  caller(): Promise<Caller>
  /** The seed of everything random in the run; absent: a new one. */
  seed?: string
  /** The idempotency key of the request that starts it, stored with its answer. */
  key?: IdempotencyKey | undefined
  /** A dry run: it reads, and drops what it would write and emit; no record of it is kept. */
  isDry?: boolean
}

/** How a run has ended, and its record. */
export type EndedRun = ({ answered: FlowAnswered } | { error: AppError }) & { record(): FlowRunRecord }

/**
 * Runs a flow and stores the record of the run. The record of a run that succeeded is stored only if the flow logs all runs, in the
 * transaction of the run.
 * @returns the answer; for a run that was rejected, that failed or that could not be committed its error: it has written nothing
 * @throws RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE; a Conflict on its key when another request with it was committed meanwhile
 */
export async function runOnRecord(deps: CallDeps, start: RunStart): Promise<EndedRun> {
  const { definition, input, isDry = false } = start
  const { flow } = start.parsed
  const begun = { ...start, seed: start.seed ?? randomBytes(16).toString('hex'), at: performance.now() }

  function notify(): void {
    deps.hintHub.note(definition.accountId, [{ topic: 'flow-runs', flowId: definition.id, ids: [start.runId] }])
  }

  async function failed(status: FlowRunStatus, error: AppError, figures = figuresOf(error)): Promise<EndedRun> {
    const record = recordOf(begun, status, figures)
    if (!isDry) {
      await insertRow(deps.db, flowRunRows([record]))
      notify()
    }
    return { error, record: () => record }
  }

  const invalid = await inputError(deps.schemas, definition.accountId, { entry: flow.entry, text: input.text })
  if (invalid) return failed('refused', invalid)
  const ended = await commitRun(deps, begun)
  if (ended instanceof AppError) return failed('failed', ended, figuresOf(ended, maxAttempts))
  const { outcome } = ended.result
  if (outcome.kind === 'failed') return failed('failed', failureOf(outcome), figuresAtEnd(ended))
  if (isKept(start)) notify()
  return { answered: outcome, record: () => recordOf(begun, 'succeeded', figuresAtEnd(ended)) }
}

/** Whether the record of a run that succeeded is stored. */
const isKept = ({ definition, isDry = false }: RunStart) => definition.logged === 'all' && !isDry

type Begun = RunStart & { seed: string; at: number }

/** @returns the error of a run that was not committed because of changes by others */
async function commitRun(deps: CallDeps, begun: Begun): Promise<Ended | AppError> {
  const { definition, principal, limits, requestId, runId, key, input, seed, isDry = false } = begun
  const { accountId } = definition
  const { flow } = begun.parsed
  try {
    return await runAndCommit(deps, {
      flow,
      principal: {
        mode: 'flow',
        accountId,
        limits,
        actor: actorOf(principal, { flowId: definition.id, runId }),
        seesGuarded: false,
      },
      requestId,
      key,
      isDry,
      turn: turnOf(accountId, { isAnybody: principal === null }),
      request: {
        about: { id: definition.id, name: flow.name, runId },
        input: input.value,
        ...(await begun.caller()),
        now: timeOfId(runId),
        seed,
      },
      rowsOf: (done) => (isKept(begun) ? [flowRunRows([recordOf(begun, 'succeeded', figuresAtEnd(done))])] : []),
    })
  } catch (error) {
    if (error instanceof FlowConflictError) return error
    throw error
  }
}

type Figures = Pick<FlowRunRecord, 'attempts' | 'fuel' | 'report' | 'errorCode'>

const figuresOf = (error: AppError, attempts = 0): Figures => {
  const recorded = error instanceof FlowConflictError ? error.recorded : error
  return { attempts, fuel: 0, report: failureReport(recorded), errorCode: recorded.name }
}

const figuresAtEnd = ({ result, attempts, skipped }: Ended): Figures => {
  const { outcome } = result
  const errorCode = outcome.kind === 'failed' ? outcome.code : null
  return { attempts, fuel: result.fuel, report: reportOf(result, skipped), errorCode }
}

/** Bytes of the longest input that is kept with its run. */
const maxInputBytes = 64 * 1024

function recordOf(begun: Begun, status: FlowRunStatus, figures: Figures): FlowRunRecord {
  const { runId: id, definition, trigger, requestId, seed, input, at } = begun
  return {
    id,
    accountId: definition.accountId,
    flowId: definition.id,
    flowVersion: definition.version,
    status,
    trigger,
    actor: JSON.stringify(startedBy(begun)),
    requestId,
    createdAt: timeOfId(id),
    durationMs: Math.round(performance.now() - at),
    seed,
    input: Buffer.byteLength(input.text) > maxInputBytes ? null : input.text,
    ...figures,
  }
}

function actorOf(principal: AuthenticatedPrincipal | null, run: { flowId: string; runId: string }): Actor {
  const { tokenId = null, identityId = null } = principal?.actor ?? {}
  return { authMode: 'flow', tokenId, identityId, ...run }
}

/** Null: an unknown caller. */
function startedBy({ principal, identityId }: Pick<RunStart, 'principal' | 'identityId'>): RunActor | null {
  if (principal === null) return null
  if (principal.mode === 'token') {
    return { authMode: 'token', tokenId: principal.tokenId, identityId: principal.identity?.id ?? null }
  }
  return { authMode: 'user', tokenId: null, identityId: identityId ?? null, userId: principal.userId }
}
