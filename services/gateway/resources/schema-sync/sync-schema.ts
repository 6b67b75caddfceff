import { createHash } from 'node:crypto'
import { retryOnConflict } from '#shared/data/conflict.ts'
import { applySync, readSyncState } from '#shared/data/lists/schema-sync.ts'
import { pathNameKey } from '#shared/domain/list/path-name.ts'
import type { Change, ChangeError } from '#shared/domain/sync/change.ts'
import type { SyncDocument } from '#shared/domain/sync/document.ts'
import { missingPermissions } from '#shared/domain/sync/permissions.ts'
import { type Plan, planSync, planText, type SyncSummary } from '#shared/domain/sync/schema-sync.ts'
import { syncWrites } from '#shared/domain/sync/writes.ts'
import { AppError } from '#shared/errors.ts'
import { isAllowedForAny } from '../../auth/authorize.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { SchemaSyncDeps } from './context.ts'

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

/**
 * Makes the lists and indexes match the document, all or nothing. After a concurrent change between reading and writing it
 * plans again, so concurrent syncs end as if one ran after the other.
 * @throws TOKEN_NOT_AUTHORIZED, SCHEMA_SYNC_PLAN_CHANGED, SERVICE_UNAVAILABLE
 */
export async function syncSchema(
  deps: SchemaSyncDeps,
  document: SyncDocument,
  options: SyncOptions,
): Promise<SyncReport> {
  const { principal, dryRun, prune, requestId } = options
  const { accountId } = principal
  const syncId = deps.newId()
  const { plan, report } = await retryOnConflict('list', async () => {
    const plan = await readPlan(deps, document, options)
    assertPermissions(plan, options)
    const report = reportOf(plan, { syncId, dryRun, prune })
    if (dryRun) return { plan, report }
    assertSamePlan(report, options)
    if (plan.blockedBy) return { plan, report }
    return { plan, report: { ...report, applied: true, changes: await apply(deps, plan, principal) } }
  })
  const { applied } = report
  deps.log('schema_sync.completed', { requestId, syncId, accountId, dryRun, applied, ...plan.summary })
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

async function readPlan(
  deps: SchemaSyncDeps,
  document: SyncDocument,
  { principal, prune, allowRebuild, allowDestructive }: SyncOptions,
): Promise<Plan> {
  const pathKeys = document.lists.map(({ pathName }) => pathNameKey(pathName))
  const managedBy = prune ? document.scope : null
  const current = await readSyncState(deps.db.long, { accountId: principal.accountId, pathKeys, managedBy })
  const seesDeactivated = principal.mode === 'user'
  return planSync(document, current, { seesDeactivated, prune, allowRebuild, allowDestructive })
}

function assertPermissions(plan: Plan, { principal, dryRun }: SyncOptions): void {
  if (principal.mode === 'user') return
  const missing = missingPermissions(plan, principal.permissions, { applying: !dryRun })
  if (missing.length > 0) throw new AppError('TOKEN_NOT_AUTHORIZED', { details: { missing } })
}

function assertSamePlan(report: SyncReport, { planHash }: SyncOptions): void {
  if (planHash === undefined || planHash === report.planHash) return
  throw new AppError('SCHEMA_SYNC_PLAN_CHANGED', { details: { planHash: report.planHash } })
}

/** The changes with the ids of what was created. */
async function apply(
  deps: SchemaSyncDeps,
  plan: Plan,
  { accountId, actor }: AuthenticatedPrincipal,
): Promise<Change[]> {
  const { writes, changes } = syncWrites(plan, { accountId, now: deps.now(), newId: deps.newId })
  await applySync(deps.db, writes, actor)
  if (plan.summary.builds > 0) deps.bus.broadcast('gateway.build', {})
  return changes
}

function reportOf(plan: Plan, sync: Pick<SyncReport, 'syncId' | 'dryRun' | 'prune'>): SyncReport {
  const { scope, summary, changes, blockedBy } = plan
  const planHash = createHash('sha256').update(planText(plan)).digest('hex')
  return { ...sync, planHash, applied: false, scope, summary, changes, blockedBy }
}
