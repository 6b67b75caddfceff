import type { AdmissionQueue } from '#shared/admission/admission-queue.ts'
import type { Config } from '#shared/config/load.ts'
import { largeBodyBytes, longStepBytes } from '#shared/domain/limits.ts'
import type { FieldError } from '#shared/errors.ts'
import { atOnce, inTimeSlices, untilLoopIsFree } from '#shared/time/time-slices.ts'
import type { ConcurrencyLimiter } from '../admission/concurrency-limit.ts'
import type { RequestHours } from '../admission/request-hours.ts'
import type { Admission, RatedRequest, RequestRates } from '../admission/request-rates.ts'
import { createRouteCheck } from '../auth/authorize.ts'
import type { Identify } from '../auth/identify.ts'
import type { ApiRequest } from '../request/api-request.ts'
import type { Principal } from '../request/principal.ts'
import type { Route } from '../request/route.ts'
import { type BodyBytes, ClientGone } from './input/body-bytes.ts'
import { createConditionCheck } from './input/conditions.ts'
import { createBodyReader, type ParsedBody } from './input/json-body.ts'
import { createQueryReader, type ParsedQuery } from './input/query.ts'
import { throwIfInvalid } from './input/validation.ts'
import type { CompiledRoute, RequestContext } from './request-context.ts'
import { createConditional } from './responses/conditional.ts'
import { type HttpResponse, type HttpStream, isStream } from './responses/respond.ts'
import type { OpenStreams } from './streams.ts'

/** `alone`: requests that are handled one at a time. `shared`: all other requests with a body of more than 64 KiB. */
export type RequestQueues = { alone: AdmissionQueue; shared: AdmissionQueue }

type RouteDeps = {
  config: Config
  rates: Pick<RequestRates, 'admit'>
  requestHours: Pick<RequestHours, 'count'>
}

/**
 * Composes the steps of a request to one route: authentication, permission, query, body, handler. A request that is not allowed is
 * rejected before its body is read, and a slow body keeps no other request from being served.
 */
export function compileRoute<Deps extends RouteDeps>(
  route: Route<Deps>,
  context: { deps: Deps; limiter: ConcurrencyLimiter; streams: OpenStreams; queues: RequestQueues; identify: Identify },
): CompiledRoute {
  const { deps, limiter, streams, queues } = context
  const identify = context.identify(route)
  const assertCouldBeAllowed = createRouteCheck(route.permission)
  const readQuery = createQueryReader(route.query, { others: route.otherParameters !== undefined })
  const conditionErrors = createConditionCheck(route)
  const answerConditions = createConditional(route)
  const body = route.method === 'GET' ? null : createBodyReader(deps.config, route.body)
  const textErrors = route.body && 'schema' in route.body ? route.body.textErrors : undefined
  const handle = route.streams || isCheap(route) ? route.handle : limited(route.handle, limiter)

  async function respond(context: RequestContext): Promise<HttpResponse | HttpStream> {
    const { req, client } = context
    context.principal = await identify(req, client)
    if (context.principal.mode !== 'anonymous') deps.requestHours.count(context.principal.accountId)
    const rated = ratedRequest(context.principal, route)
    if (rated) assertAdmitted(context, await deps.rates.admit(rated))
    assertCouldBeAllowed(context.principal)
    const query = readQuery(context.query, req.url)
    const bytes = body ? await body.read(context, limiter) : noBytes
    try {
      if (route.alone !== 'always' && bytes.length <= longStepBytes) return await answer(context, query, bytes)
      const enter = isAlone(route, bytes) ? queues.alone : queues.shared
      return await enter({ accountId: accountOf(context), size: Math.max(1, bytes.length) }, async () => {
        await untilLoopIsFree()
        if (!req.socket.writable) throw new ClientGone()
        return answer(context, query, bytes)
      })
    } finally {
      limiter.releaseBytes(bytes.length)
    }
  }

  async function answer(
    context: RequestContext,
    query: ParsedQuery,
    bytes: BodyBytes,
  ): Promise<HttpResponse | HttpStream> {
    const steps = body?.parse(bytes, context.req)
    const parsed = steps ? await (bytes.length > longStepBytes ? inTimeSlices(steps) : atOnce(steps)) : noBody
    throwIfInvalid(
      query.errors,
      conditionErrors(context.req.headers),
      parsed.errors,
      textErrors ? await textErrors(parsed.text, context.principal, deps) : noErrors,
    )
    if (route.streams) streams.admit(context.res)
    const response = await handle(apiRequest(context, query, parsed), deps)
    return isStream(response) ? response : answerConditions(response, context.req)
  }

  return { label: route.path, handle: respond }
}

/** The request as rate limits count it; null: it has no API token, or neither the token nor the account's plan has a limit. */
function ratedRequest(principal: Principal, { method }: Pick<Route, 'method'>): RatedRequest | null {
  if (principal.mode !== 'token' || (principal.rates === null && principal.perMinute === null)) return null
  const { accountId, identity, rates, tokenId, perMinute } = principal
  const token = { id: tokenId, perMinute }
  return { accountId, identityId: identity?.id ?? null, token, rates, isWrite: method !== 'GET' }
}

/** @throws RATE_LIMIT_EXCEEDED */
function assertAdmitted({ res }: RequestContext, { quota, rejection }: Admission): void {
  if (quota) {
    res.setHeader('x-rate-limit-total', quota.total)
    res.setHeader('x-rate-limit-remaining', quota.remaining)
  }
  if (rejection) throw rejection
}

function isAlone({ alone }: Pick<Route, 'alone'>, body: BodyBytes): boolean {
  return alone === 'always' || (alone === 'large' && body.length > largeBodyBytes)
}

function accountOf({ principal }: RequestContext): string {
  return principal.mode === 'anonymous' ? '' : principal.accountId
}

function apiRequest(context: RequestContext, query: ParsedQuery, body: ParsedBody): ApiRequest {
  const { id, principal, params, client, req } = context
  return {
    id,
    principal,
    params,
    query: query.value,
    otherParameters: query.others,
    body: body.value,
    text: body.text,
    bodyText: body.bodyText,
    headers: req.headers as Record<string, string | undefined>,
    clientAddress: client.address,
    secure: client.secure,
  }
}

/** Health checks and documents are served under any load, or a busy process would count as dead. */
function isCheap({ method, permission, costly }: Pick<Route, 'method' | 'permission' | 'costly'>): boolean {
  return method === 'GET' && permission === 'public' && !costly
}

function limited<Deps>(handle: Route<Deps>['handle'], limiter: ConcurrencyLimiter): Route<Deps>['handle'] {
  return async (request, deps) => {
    limiter.acquire()
    try {
      return await handle(request, deps)
    } finally {
      limiter.release()
    }
  }
}

const noErrors: readonly FieldError[] = []
const noBytes: BodyBytes = { length: 0, chunks: [] }
const noBody: ParsedBody = { value: undefined, errors: [], text: {}, bodyText: '' }
