import { createHash } from 'node:crypto'
import { pathNameKey } from '#shared/domain/path-name.ts'
import type { Change, ChangeError } from '#shared/domain/sync/change.ts'
import type { SyncDocument } from '#shared/domain/sync/document/document.ts'
import { type Plan, planSync, planText, type SyncSummary } from '#shared/domain/sync/schema-sync.ts'
import { AppError } from '#shared/errors.ts'
import { createTimeSlices, inTimeSlices } from '#shared/time/time-slices.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import { runPlanned } from './apply-plan.ts'
import type { SchemaSyncDeps } from './context.ts'
import { createPlanDependents } from './plan-dependents.ts'
import { createStoredMismatches } from './stored-mismatches.ts'

type SyncOptions = {
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
 * Changes the lists and indexes to match the document, all or nothing.
 * @throws TOKEN_NOT_AUTHORIZED, SCHEMA_SYNC_PLAN_CHANGED, SERVICE_UNAVAILABLE
 */
export async function syncSchema(
  deps: SchemaSyncDeps,
  document: SyncDocument,
  options: SyncOptions,
): Promise<SyncReport> {
  const { principal, prune, dryRun, requestId } = options
  const { accountId } = principal
  const syncId = deps.newId()
  const mismatches = createStoredMismatches(deps, principal)
  const dependents = createPlanDependents(deps, principal)
  const pathKeys = document.lists.map(({ pathName }) => pathNameKey(pathName))
  const report = await runPlanned<HashedPlan, SyncReport>(deps, {
    principal,
    dryRun,
    lists: { accountId, pathKeys, managedBy: prune ? document.scope : null },
    planOf: (current) => hashedPlan(document, current, { ...options, seesDeactivated: principal.mode === 'user' }),
    async examine(plan) {
      if (await mismatches.count(plan)) return true
      await dependents.find(plan)
      return false
    },
    isToApply(plan) {
      assertSamePlan(plan, options)
      return plan.blockedBy === null
    },
    reportOf({ planHash, scope, summary, changes, blockedBy }, applied) {
      const warned = dependents.addTo(mismatches.addTo(applied ?? changes))
      const request = { syncId, planHash, dryRun, applied: applied !== null, prune }
      return { ...request, scope, summary, changes: warned, blockedBy }
    },
  })
  deps.log('schema_sync.completed', {
    requestId,
    syncId,
    accountId,
    dryRun,
    applied: report.applied,
    ...report.summary,
  })
  return report
}

type HashedPlan = Plan & { planHash: string }

async function hashedPlan(...planned: Parameters<typeof planSync>): Promise<HashedPlan> {
  const plan = await inTimeSlices(planSync(...planned))
  const hash = createHash('sha256')
  const pause = createTimeSlices()
  for (const text of planText(plan)) {
    hash.update(text)
    await pause()
  }
  return { ...plan, planHash: hash.digest('hex') }
}

function assertSamePlan(plan: HashedPlan, { planHash }: SyncOptions): void {
  if (planHash === undefined || planHash === plan.planHash) return
  throw new AppError('SCHEMA_SYNC_PLAN_CHANGED', { details: { planHash: plan.planHash } })
}
