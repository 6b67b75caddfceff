import { getIdParam } from '#services/gateway/request/id-param.ts'
import { type FlowRunFilters, readFlowRunPage } from '#shared/data/flows/flow-run-page.ts'
import { findFlowRun } from '#shared/data/flows/flow-runs.ts'
import { hasFlow } from '#shared/data/flows/flows.ts'
import type { Page, PageRequest } from '#shared/data/pages/page.ts'
import type { FlowRunRecord, FlowRunSummary } from '#shared/domain/flow/run/run-record.ts'
import { AppError } from '#shared/errors.ts'
import type { FlowRunDeps } from './context.ts'

/** An id that no flow has. */
const noId = ''

/**
 * One page of the runs of an account.
 * @throws VALIDATION_FAILED for a cursor of another query, QUESTION_TOO_BROAD
 */
export async function listRuns(
  { db }: FlowRunDeps,
  accountId: string,
  { filters, request }: { filters: FlowRunFilters; request: PageRequest },
): Promise<Page<FlowRunSummary>> {
  const { flowId } = filters
  if (flowId === undefined) return readFlowRunPage(db.long, { ...filters, accountId }, request)
  const isOwn = await hasFlow(db, { accountId, flowId })
  return readFlowRunPage(db.long, { ...filters, accountId, flowId: isOwn ? flowId : noId }, request)
}

/** A run with its steps. @throws REQUESTED_ENTITY_NOT_FOUND */
export async function getRun(
  { db }: FlowRunDeps,
  { accountId, run }: { accountId: string; run: string },
): Promise<FlowRunRecord> {
  const found = await findFlowRun(db, { accountId, runId: getIdParam(run) })
  if (!found) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  return found
}
