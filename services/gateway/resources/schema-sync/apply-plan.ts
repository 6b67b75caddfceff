import { assertWithinAccount } from '#shared/data/accounts/account-limits.ts'
import { retryOnConflict } from '#shared/data/conflict.ts'
import { applyLockedSync, applySync, readSyncState, type SyncedLists } from '#shared/data/lists/schema-sync.ts'
import { changesWords } from '#shared/domain/search/searched.ts'
import type { Change } from '#shared/domain/sync/change.ts'
import { assertIndexesWithin, listGrowth } from '#shared/domain/sync/growth.ts'
import { missingPermissions } from '#shared/domain/sync/permissions.ts'
import type { SyncPlan } from '#shared/domain/sync/schema-sync.ts'
import type { CurrentList } from '#shared/domain/sync/state.ts'
import { isWrite, type SyncWrites, syncWrites } from '#shared/domain/sync/writes.ts'
import { AppError } from '#shared/errors.ts'
import { inTimeSlices } from '#shared/time/time-slices.ts'
import { isAllowedForAny } from '../../auth/authorize.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { SchemaSyncDeps } from './context.ts'

/** A request that plans changes of lists, and applies the plan unless that is blocked. */
export type PlannedRequest<P extends SyncPlan, R> = {
  principal: AuthenticatedPrincipal
  dryRun: boolean
  lists: SyncedLists
  planOf(current: Map<string, CurrentList>): Promise<P>
  /** Reads what else the report needs; true: it took time, and the plan must be computed again. */
  examine?(plan: P): Promise<boolean>
  /** @throws the error for a plan that is neither applied nor returned */
  isToApply(plan: P): boolean
  /** @param applied the changes with the ids of what was created; null: nothing was written */
  reportOf(plan: P, applied: Change[] | null): R
}

/**
 * Plans, and applies the plan all or nothing. Requests of one account wait for each other in this process, so that they hold no
 * connection while they wait, and one plan at a time is in memory: a plan of 100,000 indexes takes 150 MB. After a concurrent change
 * between reading and writing, the next attempt plans while it has the lists locked: concurrent requests end as if one ran after
 * the other, and none can starve.
 * @throws TOKEN_NOT_AUTHORIZED, MAX_LISTS_EXCEEDED and MAX_INDEXES_EXCEEDED before anything is written, the errors of `isToApply`,
 *   SERVICE_UNAVAILABLE
 */
export async function runPlanned<P extends SyncPlan, R>(
  deps: SchemaSyncDeps,
  request: PlannedRequest<P, R>,
): Promise<R> {
  using _section = await deps.exclusive([`${request.principal.accountId}/sync`])
  return await retryOnConflict('list', (failures) => attempt(deps, request, failures > 0))
}

/** The decision about a request that names no list: whether the principal may sync at all. @throws TOKEN_NOT_AUTHORIZED */
export function assertSyncPermission(principal: AuthenticatedPrincipal): void {
  const permission = { action: 'sync-schema', resourceType: 'list' } as const
  if (isAllowedForAny(principal, permission)) return
  throw new AppError('TOKEN_NOT_AUTHORIZED')
}

/** @param locked whether to plan again in the transaction that writes */
async function attempt<P extends SyncPlan, R>(
  deps: SchemaSyncDeps,
  request: PlannedRequest<P, R>,
  locked: boolean,
): Promise<R> {
  const plan = await currentPlan(deps, request)
  if (request.dryRun || !request.isToApply(plan)) return request.reportOf(plan, null)
  if (!plan.changes.some(isWrite)) return request.reportOf(plan, plan.changes)
  const applied = locked ? await applyLocked(deps, request) : await apply(deps, request, plan)
  if (applied.starts) deps.bus.broadcast('gateway.build', {})
  return applied.report
}

/** @throws TOKEN_NOT_AUTHORIZED, MAX_LISTS_EXCEEDED, MAX_INDEXES_EXCEEDED */
async function currentPlan<P extends SyncPlan, R>(deps: SchemaSyncDeps, request: PlannedRequest<P, R>): Promise<P> {
  const plan = await allowedPlan(request, await readSyncState(deps.db.long, request.lists))
  const { accountId, limits } = request.principal
  const growth = { accountId, limit: 'maxLists', added: listGrowth(plan), max: limits?.maxLists ?? null } as const
  await assertWithinAccount(deps.db, growth)
  return (await request.examine?.(plan)) ? currentPlan(deps, request) : plan
}

/** @throws TOKEN_NOT_AUTHORIZED, MAX_INDEXES_EXCEEDED */
async function allowedPlan<P extends SyncPlan, R>(
  { principal, dryRun, planOf }: PlannedRequest<P, R>,
  current: Map<string, CurrentList>,
): Promise<P> {
  const plan = await planOf(current)
  if (principal.mode === 'token') {
    const missing = await inTimeSlices(missingPermissions(plan, principal.permissions, { applying: !dryRun }))
    if (missing.length > 0) throw new AppError('TOKEN_NOT_AUTHORIZED', { details: { missing } })
  }
  assertIndexesWithin(plan, current, principal.limits?.maxIndexesPerList ?? null)
  return plan
}

/** `starts`: builds of indexes or of words begin. */
type Applied<R> = { report: R; starts: boolean }

async function apply<P extends SyncPlan, R>(
  deps: SchemaSyncDeps,
  request: PlannedRequest<P, R>,
  plan: P,
): Promise<Applied<R>> {
  const { writes, ...applied } = await written(deps, request, plan)
  await applySync(deps, writes, request.principal.actor)
  return applied
}

async function applyLocked<P extends SyncPlan, R>(
  deps: SchemaSyncDeps,
  request: PlannedRequest<P, R>,
): Promise<Applied<R>> {
  const { lists, principal } = request
  let outcome: Applied<R> | undefined
  await applyLockedSync(deps, { ...lists, actor: principal.actor }, async (current) => {
    const plan = await allowedPlan(request, current)
    if (!request.isToApply(plan)) {
      outcome = { report: request.reportOf(plan, null), starts: false }
      return null
    }
    const { writes, ...applied } = await written(deps, request, plan)
    outcome = applied
    return writes
  })
  if (!outcome) throw new TypeError('A transaction was committed without a plan.')
  return outcome
}

async function written<P extends SyncPlan, R>(
  { now, newId }: SchemaSyncDeps,
  { principal, reportOf }: PlannedRequest<P, R>,
  plan: P,
): Promise<Applied<R> & { writes: SyncWrites }> {
  const { accountId, limits } = principal
  const options = { accountId, now: now(), newId, maxLists: limits?.maxLists ?? null }
  const { writes, changes } = await inTimeSlices(syncWrites(plan, options))
  const starts = writes.builds.some((change) => change.after?.buildStatus === 'building' || changesWords(change))
  return { writes, report: reportOf(plan, changes), starts }
}
