import type { UserPrincipal } from '#services/gateway/request/principal.ts'
import { json, type Response } from '#services/gateway/request/response.ts'
import { type Route, route } from '#services/gateway/request/route.ts'
import { pageRequest, serializePage, setFilters } from '#services/gateway/schemas/page-schemas.ts'
import { pageOf } from '#services/gateway/schemas/response-schemas.ts'
import type { FlowRunFilters } from '#shared/data/flows/flow-run-page.ts'
import { readUserNames } from '#shared/data/users/users.ts'
import { type UserNames, userIdsOf } from '#shared/domain/event.ts'
import { serializeRun, serializeRunSummary } from '#shared/domain/flow/run/run-json.ts'
import type { FlowRunRecord, FlowRunSummary } from '#shared/domain/flow/run/run-record.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import type { FlowRunDeps } from './context.ts'
import { getRun, listRuns } from './list-runs.ts'
import { repeatRun, runByHand } from './run-by-hand.ts'
import { listRunsQuery, repeatBody, runBody, runSchema, runSummarySchema } from './schemas.ts'

/** The runs of flows on record, in user mode only: they hold values that guards hide from tokens. */
export const flowRunRoutes: readonly Route<FlowRunDeps>[] = [
  route({
    method: 'GET',
    path: '/flow-runs',
    operationId: 'listFlowRuns',
    about: 'A page of the runs of all flows, or of one.',
    notes:
      'The newest come first. With `trigger` a call examines at most 20,000 runs: a page by cursor may then have few rows or none, and `next` continues. A total is exact up to 10,000.',
    response: { 200: pageOf(runSummarySchema) },
    errors: ['QUESTION_TOO_BROAD'],
    permission: 'user',
    query: listRunsQuery,
    async handle({ principal, query }, deps) {
      const { flowId, status, trigger, startAt, endAt, ...page } = query
      const filters = setFilters<FlowRunFilters>({ flowId, status, trigger, startAt, endAt })
      const request = pageRequest(page, { direction: 'desc', filters })
      const runs = await listRuns(deps, principal.accountId, { filters, request })
      const users = await startingUsers(deps, principal, runs.data)
      return json(serializePage(runs, (run) => serializeRunSummary(run, users)))
    },
  }),
  route({
    method: 'GET',
    path: '/flow-runs/{run}',
    operationId: 'getFlowRun',
    about: 'A run, with its steps, its input and its seed.',
    notes: 'Numbers keep all their digits.',
    response: { 200: runSchema },
    permission: 'user',
    async handle({ principal, params }, deps) {
      return runAnswer(deps, principal, await getRun(deps, { accountId: principal.accountId, ...params }))
    },
  }),
  route({
    method: 'POST',
    path: '/flow-runs/{run}/repeat',
    operationId: 'repeatFlowRun',
    about: 'Runs a flow again, with the input and the seed of a run.',
    notes:
      'The current version of the document is run, activated or not. The answer is the new run, even if it failed. The flow sees the identity that `identityId` names, not the caller of the first run.',
    response: { 201: runSchema },
    errors: ['FLOW_RUN_NOT_REPEATABLE', 'RATE_LIMIT_EXCEEDED'],
    permission: 'user',
    body: { maxBytes: bodyBytes.short, schema: repeatBody, optional: true },
    async handle({ principal, id: requestId, params, body }, deps) {
      const run = await repeatRun(deps, { principal, requestId, ...params, identityId: body?.identityId })
      return runAnswer(deps, principal, run, { status: 201 })
    },
  }),
  route({
    method: 'POST',
    path: '/flow-definitions/{flow}/run',
    operationId: 'runFlowDefinition',
    about: 'Runs a flow by hand, activated or not.',
    notes:
      'The answer is the run, even if it failed. With `dryRun` it reads stored items, but writes and emits nothing, and the run is not recorded.',
    response: { 200: runSchema },
    errors: ['RATE_LIMIT_EXCEEDED'],
    permission: 'user',
    body: { maxBytes: bodyBytes.other, schema: runBody, text: ['input'], optional: true },
    async handle({ principal, id: requestId, params, body, text }, deps) {
      const { identityId, dryRun: isDry = false } = body ?? {}
      const run = await runByHand(deps, { principal, requestId, ...params, input: text.input ?? '', identityId, isDry })
      return runAnswer(deps, principal, run)
    },
  }),
]

async function runAnswer(
  deps: FlowRunDeps,
  principal: UserPrincipal,
  run: FlowRunRecord,
  options?: { status: 201 },
): Promise<Response> {
  return json(serializeRun(run, await startingUsers(deps, principal, [run])), options)
}

/** The names of the users who started runs. */
function startingUsers(
  { db }: FlowRunDeps,
  { accountId }: UserPrincipal,
  runs: readonly Pick<FlowRunSummary, 'actor'>[],
): Promise<UserNames> {
  return readUserNames(db, accountId, userIdsOf(runs))
}
