import { createHash } from 'node:crypto'
import { retryOnConflict } from '#shared/data/conflict.ts'
import { applyLockedSync, applySync, readSyncState, type SyncedLists } from '#shared/data/lists/schema-sync.ts'
import { pathNameKey } from '#shared/domain/list/path-name.ts'
import type { Change, ChangeError } from '#shared/domain/sync/change.ts'
import type { SyncDocument } from '#shared/domain/sync/document.ts'
import { missingPermissions } from '#shared/domain/sync/permissions.ts'
import { type Plan, planSync, planText, type SyncSummary } from '#shared/domain/sync/schema-sync.ts'
import type { CurrentList } from '#shared/domain/sync/state.ts'
import { type SyncWrites, syncWrites } from '#shared/domain/sync/writes.ts'
import { AppError } from '#shared/errors.ts'
import { isAllowedForAny } from '../../auth/authorize.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { SchemaSyncDeps } from './context.ts'
import { createStoredMismatches, type StoredMismatches } from './stored-mismatches.ts'

export type SyncOptions = {
  principal: AuthenticatedPrincipal
  requestId: string
  dryRun: boolean
  /** Whether lists and indexes that the scope manages and the document does not declare are deleted. */
  prune: boolean
  allowRebuild: boolean
  allowDestructive: boolean
  /** Apply only the plan with this hash; absent: any plan. */
  planHash?: string
}

/** The response of `POST /sync-schema` (contract 2.4). */
export type SyncReport = {
  syncId: string
  planHash: string
  dryRun: boolean
  applied: boolean
  prune: boolean
  scope: string | null
  summary: SyncSummary
  changes: Change[]
  blockedBy: ChangeError | null
}

/** One request: what is planned, how, and what was counted for its warnings. */
type Sync = SyncOptions & { syncId: string; document: SyncDocument; lists: SyncedLists; mismatches: StoredMismatches }

/**
 * Makes the lists and indexes match the document, all or nothing. Syncs of one account that write take turns in this process,
 * so that they hold no connection while they wait. After a concurrent change between reading and writing, the next attempt
 * plans while it holds the lists: concurrent syncs end as if one ran after the other, and none is overtaken for ever.
 * @throws TOKEN_NOT_AUTHORIZED, SCHEMA_SYNC_PLAN_CHANGED, SERVICE_UNAVAILABLE
 */
export async function syncSchema(
  deps: SchemaSyncDeps,
  document: SyncDocument,
  options: SyncOptions,
): Promise<SyncReport> {
  const { principal, prune, dryRun, requestId } = options
  const { accountId } = principal
  const pathKeys = document.lists.map(({ pathName }) => pathNameKey(pathName))
  const lists = { accountId, pathKeys, managedBy: prune ? document.scope : null }
  const mismatches = createStoredMismatches(deps, principal)
  const sync = { ...options, syncId: deps.newId(), document, lists, mismatches }
  const attempts = () => retryOnConflict('list', (failures) => attempt(deps, sync, failures > 0))
  const report = await (dryRun ? attempts() : deps.itemMutex(`${accountId}/sync`, attempts))
  const { syncId, applied, summary } = report
  deps.log('schema_sync.completed', { requestId, syncId, accountId, dryRun, applied, ...summary })
  return report
}

/**
 * Whether the principal may sync at all, before a document of some megabytes is validated.
 * @throws TOKEN_NOT_AUTHORIZED
 */
export function assertSyncPermission(principal: AuthenticatedPrincipal): void {
  const permission = { action: 'sync-schema', resourceType: 'list' } as const
  if (isAllowedForAny(principal, permission)) return
  throw new AppError('TOKEN_NOT_AUTHORIZED', { details: { missing: [permission] } })
}

/** @param locked whether to plan again in the transaction that writes */
async function attempt(deps: SchemaSyncDeps, sync: Sync, locked: boolean): Promise<SyncReport> {
  const plan = await currentPlan(deps, sync)
  const report = reportOf(plan, sync)
  if (!isToApply(report, sync)) return report
  const applied = locked ? await applyLocked(deps, sync) : await apply(deps, sync, { plan, report })
  if (applied.summary.builds > 0) deps.bus.broadcast('gateway.build', {})
  return applied
}

/** Reading the items for the warnings takes time, so the plan is made again behind it. */
async function currentPlan(deps: SchemaSyncDeps, sync: Sync): Promise<Plan> {
  const plan = planOf(await readSyncState(deps.db.long, sync.lists), sync)
  return (await sync.mismatches.count(plan)) ? currentPlan(deps, sync) : plan
}

/** @throws TOKEN_NOT_AUTHORIZED */
function planOf(current: Map<string, CurrentList>, sync: Sync): Plan {
  const { document, principal } = sync
  const plan = planSync(document, current, { ...sync, seesDeactivated: principal.mode === 'user' })
  if (principal.mode === 'user') return plan
  const missing = missingPermissions(plan, principal.permissions, { applying: !sync.dryRun })
  if (missing.length > 0) throw new AppError('TOKEN_NOT_AUTHORIZED', { details: { missing } })
  return plan
}

/** @throws SCHEMA_SYNC_PLAN_CHANGED */
function isToApply(report: SyncReport, { dryRun, planHash }: Sync): boolean {
  if (dryRun) return false
  if (planHash !== undefined && planHash !== report.planHash) {
    throw new AppError('SCHEMA_SYNC_PLAN_CHANGED', { details: { planHash: report.planHash } })
  }
  return report.blockedBy === null
}

async function apply(deps: SchemaSyncDeps, sync: Sync, { plan, report }: Planned): Promise<SyncReport> {
  const { writes, applied } = appliedPlan(deps, sync, { plan, report })
  await applySync(deps.db, writes, sync.principal.actor)
  return applied
}

async function applyLocked(deps: SchemaSyncDeps, sync: Sync): Promise<SyncReport> {
  let outcome: SyncReport | undefined
  await applyLockedSync(deps.db, { ...sync.lists, actor: sync.principal.actor }, (current) => {
    const plan = planOf(current, sync)
    outcome = reportOf(plan, sync)
    if (!isToApply(outcome, sync)) return null
    const { writes, applied } = appliedPlan(deps, sync, { plan, report: outcome })
    outcome = applied
    return writes
  })
  if (!outcome) throw new TypeError('A transaction that was committed has made a plan.')
  return outcome
}

type Planned = { plan: Plan; report: SyncReport }

/** What applying a plan writes, and its report with the ids of what it creates. */
function appliedPlan(
  { now, newId }: SchemaSyncDeps,
  { principal, mismatches }: Sync,
  { plan, report }: Planned,
): { writes: SyncWrites; applied: SyncReport } {
  const { writes, changes } = syncWrites(plan, { accountId: principal.accountId, now: now(), newId })
  return { writes, applied: { ...report, applied: true, changes: mismatches.warn(changes) } }
}

function reportOf(plan: Plan, { syncId, dryRun, prune, mismatches }: Sync): SyncReport {
  const { scope, summary, changes, blockedBy } = plan
  const planHash = createHash('sha256').update(planText(plan)).digest('hex')
  const warned = mismatches.warn(changes)
  return { syncId, planHash, dryRun, applied: false, prune, scope, summary, changes: warned, blockedBy }
}
