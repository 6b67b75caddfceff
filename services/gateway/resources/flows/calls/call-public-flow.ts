import type { RequestHours } from '#services/gateway/admission/request-hours.ts'
import type { RatedRequest, RequestRates } from '#services/gateway/admission/request-rates.ts'
import type { Response } from '#services/gateway/request/response.ts'
import { createAddressLimit } from '#shared/admission/address-limit.ts'
import type { MinuteLimit } from '#shared/admission/minute-limit.ts'
import type { Config } from '#shared/config/load.ts'
import { findAccount } from '#shared/data/accounts/accounts.ts'
import { findPublicFlow } from '#shared/data/flows/flows.ts'
import { endpointOf } from '#shared/domain/flow/fields.ts'
import { isId } from '#shared/domain/id.ts'
import { publicFlowCalls } from '#shared/domain/limits.ts'
import { createAccountLimits } from '#shared/domain/plan/plan.ts'
import { AppError } from '#shared/errors.ts'
import { answerRun } from './call-flow.ts'
import type { CallDeps } from './context.ts'
import { readInput, type SentInput } from './run-input.ts'

export type PublicCallDeps = CallDeps & {
  config: Config
  /** Limits the calls of public flows, by client address. */
  publicCalls: MinuteLimit
  rates: Pick<RequestRates, 'admit'>
  requestHours: Pick<RequestHours, 'count'>
}

/** @param now a monotonic clock in milliseconds */
export function createPublicCallLimit(now: () => number): MinuteLimit {
  const { perMinute, maxAddresses: maxKeys } = publicFlowCalls
  return createAddressLimit({ now, perMinute, maxKeys })
}

/** A request that calls a flow without credentials. */
export type PublicCall = { flowId: string; method: string; clientAddress: string; requestId: string; sent: SentInput }

/**
 * Runs a flow with a public entry for an unknown caller, and returns the answer of the run. The call counts as a request of the flow's
 * account.
 * @throws RATE_LIMIT_EXCEEDED, REQUESTED_ENTITY_NOT_FOUND; the errors of a run that `callFlow` names
 */
export async function callPublicFlow(
  deps: PublicCallDeps,
  { flowId, method, clientAddress, requestId, sent }: PublicCall,
): Promise<Response> {
  const waitMs = deps.publicCalls.count(clientAddress)
  if (waitMs > 0) throw new AppError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
  const definition = isId(flowId) ? await findPublicFlow(deps.db, flowId) : null
  if (!definition?.activated || endpointOf(definition)?.method !== method)
    throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  deps.requestHours.count(definition.accountId)
  const account = await findAccount(deps.db, definition.accountId)
  const plans = createAccountLimits(deps.config.plans)
  const plan = account?.plan ?? ''
  await assertAdmitted(deps, { accountId: definition.accountId, rates: plans.ratesOf(plan), isWrite: method !== 'GET' })
  const parsed = await deps.parsedFlows(definition, { isAnybody: true })
  const input = readInput(sent, parsed.flow.entry)
  return answerRun(deps, definition, { parsed, principal: null, limits: plans.limitsOf(plan), requestId, input })
}

/** @throws RATE_LIMIT_EXCEEDED, without the limits of the plan, which an unknown caller must not see */
async function assertAdmitted(
  { rates }: Pick<PublicCallDeps, 'rates'>,
  request: Pick<RatedRequest, 'accountId' | 'rates' | 'isWrite'>,
): Promise<void> {
  if (request.rates === null) return
  const { rejection } = await rates.admit({ ...request, token: null, identityId: null })
  if (rejection) throw new AppError('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: rejection.retryAfterSeconds ?? 1 })
}
