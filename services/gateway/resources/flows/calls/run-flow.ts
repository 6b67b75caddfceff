import { Conflict, retryOnConflict } from '#shared/data/conflict.ts'
import type { NewOutboxEvent } from '#shared/data/dispatch/outbox/enqueue.ts'
import { RejectedChange } from '#shared/data/items/commit/rejected-change.ts'
import type { IdempotencyKey } from '#shared/data/items/idempotency-records.ts'
import type { ItemChange } from '#shared/data/items/item-change.ts'
import type { Rows } from '#shared/data/sql/insert-rows.ts'
import { findActiveWebhooks } from '#shared/data/webhooks/webhooks.ts'
import type { FlowEmit, FlowOutcome, FlowRead, FlowResult, FlowRunRequest } from '#shared/domain/flow/run/driver.ts'
import { runFlow } from '#shared/domain/flow/run/run.ts'
import { timeOfId } from '#shared/domain/id.ts'
import { emitPayload } from '#shared/domain/webhook/event-payload.ts'
import { exclusiveKey } from '../../items/writing/change-items.ts'
import { findRejections } from '../../items/writing/commit-item.ts'
import { keptAnswer } from './answer.ts'
import type { FlowDeps, FlowLists, RunContext } from './context.ts'
import { drive, NeedsTurn } from './drive-run.ts'
import { conflictError, RunConflict } from './run-conflict.ts'
import { changesOf, failedAt, markAllArrayIndexes, proofsOf } from './writes.ts'

export type Run = RunContext & {
  /** The idempotency key of the request that starts it, stored with its answer. */
  key?: IdempotencyKey | undefined
  /** Its writes are checked and discarded. */
  isDry?: boolean
  /** The owner of the turn that it takes if it takes long. */
  turn: Turn
  request: Omit<FlowRunRequest, 'flow' | 'lists' | 'newId' | 'clock'>
  /** The rows that are committed with a run that answers; may be empty. */
  rowsOf(done: Ended): readonly Rows[]
}

/** How a run has ended. `skipped`: the webhooks to which it emits, but that do not exist or are not active. */
export type Ended = { result: FlowResult; attempts: number; skipped: readonly string[] }

/** The most attempts to compute a run: within a gateway runs wait for each other, but those of other gateways may commit first. */
export const maxAttempts = 10

/**
 * Computes a run, and commits its result, all or nothing, if everything that it read by id or alias is unchanged. Otherwise it computes
 * the run again; so it does if others are already changing the items that the run changes, or wait to change them. From the second time
 * on, no other run or change of the items that the run has read executes in this process at the same time. A run that turns out to take
 * long is computed again in its turn.
 * @returns its result; a run that failed has written nothing
 * @throws FLOW_CONFLICT, RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE; a Conflict on its key when another request with the key came first
 */
export function runAndCommit(deps: FlowDeps, run: Run): Promise<Ended> {
  const keys = new Set<string>()
  const note = (read: readonly string[]) => {
    for (const key of read) keys.add(key)
  }
  async function compute(failures: number, hasTurn: boolean) {
    using _section = keys.size > 0 ? await deps.exclusive([...keys]) : null
    const lists = await readLists(deps, run)
    try {
      return await attempt(deps, { ...run, lists, attempts: failures + 1, note, hasTurn })
    } catch (error) {
      if (error instanceof Conflict && error.on === 'list') await dropOutdated(deps, run, lists)
      throw error
    }
  }
  let isLong = false
  async function computeInTurn(failures: number) {
    if (!isLong) {
      try {
        return await compute(failures, false)
      } catch (error) {
        if (!(error instanceof NeedsTurn)) throw error
        isLong = true
      }
    }
    return deps.longFlowRuns.enter(run.turn, () => compute(failures, true))
  }
  const bounds = { most: maxAttempts, otherwise: conflictError }
  return retryOnConflict(['item', 'list'], computeInTurn, bounds)
}

type Turn = { accountId: string; size: number }

type Attempt = Run & { lists: FlowLists; attempts: number; hasTurn: boolean; note(keys: readonly string[]): void }

async function attempt(deps: FlowDeps, run: Attempt): Promise<Ended> {
  const { flow, principal, lists, attempts, request, note, hasTurn } = run
  const steps = runFlow({ ...request, flow, lists, newId: deps.newId, clock: () => performance.now() })
  const result = await drive(deps, steps, { principal, lists, hasTurn })
  note(keysOf(result.reads, lists))
  // A new run queues behind those that wait to change the same items: otherwise these would conflict with one newcomer after the other.
  if (attempts === 1 && deps.exclusive.isTaken(keysOf(changedReads(result), lists))) throw new Conflict('item')
  const webhooks = [...new Set(result.emits.flatMap((emit) => emit.webhooks))]
  const active = await findActiveWebhooks(deps.db, { accountId: principal.accountId, ids: webhooks })
  const ended = { result, attempts, skipped: webhooks.filter((id) => !active.has(id)) }
  const outcome = result.outcome.kind === 'failed' ? result.outcome : await commit(deps, run, ended)
  if (outcome.kind === 'answered') return ended
  // A failure must not be based on settings from before the request.
  if ((await outdatedLists(deps, run, lists)).length > 0) throw new Conflict('list')
  return { ...ended, result: { ...result, outcome, writes: [], emits: [] } }
}

async function commit(deps: FlowDeps, run: Attempt, ended: Ended): Promise<FlowOutcome> {
  const { lists, request } = run
  const { writes, reads, emits, outcome } = ended.result
  const changes = await changesOf(deps, writes, run)
  if (!Array.isArray(changes)) return changes
  const isAlone = writes.length === 0 && emits.length === 0
  const emitted = emits.map((emit) => outboxEventOf(run, emit))
  const proofs = proofsOf({ reads, writes, isAlone }, lists)
  try {
    if (run.isDry) return await rehearse(deps, run, { changes, outcome })
    await markAllArrayIndexes(deps, changes, lists)
    await deps.committer.commitAll(changes, {
      key:
        run.key && outcome.kind === 'answered'
          ? { ...run.key, result: keptAnswer(outcome, request.about.runId) }
          : undefined,
      proofs: proofs.map(({ proof }) => proof),
      emitted,
      rows: run.rowsOf(ended),
      isBounded: true,
    })
    return outcome
  } catch (error) {
    if (error instanceof Conflict && error.on === 'item') throw new RunConflict(error, { writes, proofs })
    const failed = failureAtNode(error, ended.result)
    if (!failed) throw error
    return failed
  }
}

/** Throws the errors that a commit would throw. */
async function rehearse(
  deps: FlowDeps,
  run: Attempt,
  would: { changes: readonly ItemChange[]; outcome: FlowOutcome },
): Promise<FlowOutcome> {
  if ((await outdatedLists(deps, run, run.lists)).length > 0) throw new Conflict('list')
  const [rejection] = await findRejections(deps.db, would.changes)
  if (rejection) throw rejection
  return would.outcome
}

/** The failure of a run whose commit was rejected, at the node of the rejected change. Null: the error is not about a change of the run. */
function failureAtNode(error: unknown, { writes }: FlowResult): FlowOutcome | null {
  const node = error instanceof RejectedChange ? writes[error.change]?.node : undefined
  return node === undefined ? null : failedAt(node, error as RejectedChange)
}

function outboxEventOf({ principal, request, requestId }: Run, emit: FlowEmit): NewOutboxEvent {
  const { id, name, runId } = request.about
  const { accountId, actor } = principal
  const { eventId, webhooks, payload } = emit
  const body = emitPayload({ id: eventId, createdAt: timeOfId(eventId), flow: { id, name }, runId, payload, actor })
  return { eventId, accountId, requestId, payload: body, webhookIds: webhooks }
}

/** The keys of `exclusive` for the items that a run has read. */
function keysOf(reads: readonly FlowRead[], lists: FlowLists): string[] {
  return reads.flatMap(({ list, ref, item }) => {
    const of = lists.get(list)?.list
    // The name is a key too, so that runs that found an item by it wait for runs that found none.
    return of ? [...new Set([ref, item?.id ?? ref])].map((name) => exclusiveKey(of, name)) : []
  })
}

/** The reads of items that the run changes, and, in lists where it creates items, the reads that found none. */
function changedReads({ reads, writes }: FlowResult): FlowRead[] {
  const changed = new Set(writes.map(({ itemId }) => itemId))
  const grown = new Set(writes.filter(({ op }) => op === 'create').map(({ list }) => list))
  return reads.filter(({ list, item }) => (item ? changed.has(item.id) : grown.has(list)))
}

async function readLists(deps: FlowDeps, { flow, principal }: RunContext): Promise<FlowLists> {
  const found = await Promise.all(
    flow.lists.map(async (key) => [key, await deps.lists.get(principal.accountId, key)] as const),
  )
  return new Map(found.flatMap(([key, config]) => (config ? [[key, config] as const] : [])))
}

async function outdatedLists(deps: FlowDeps, { principal }: RunContext, lists: FlowLists): Promise<string[]> {
  const current = await Promise.all(
    [...lists].map(
      async ([key, config]) => [key, await deps.lists.isCurrent(principal.accountId, key, config)] as const,
    ),
  )
  return current.flatMap(([key, isCurrent]) => (isCurrent ? [] : [key]))
}

async function dropOutdated(deps: FlowDeps, run: RunContext, lists: FlowLists): Promise<void> {
  for (const key of await outdatedLists(deps, run, lists)) {
    const config = lists.get(key)
    if (config) deps.lists.drop(run.principal.accountId, key, config)
  }
}
