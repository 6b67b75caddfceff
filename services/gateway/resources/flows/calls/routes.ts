import type { ApiRequest } from '#services/gateway/request/api-request.ts'
import type { Response } from '#services/gateway/request/response.ts'
import { type Route, route } from '#services/gateway/request/route.ts'
import { entryMethods } from '#shared/domain/flow/language/properties.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { idempotencyHeader } from '../../items/schemas.ts'
import { parseIdempotencyKey } from '../../items/writing/idempotent-request.ts'
import { callFlow, type FlowCall } from './call-flow.ts'
import type { CallDeps } from './context.ts'
import { publicFlowRoutes } from './public-routes.ts'
import { answers, failures, inputInQuery, methodName, queryInputOf } from './route-parts.ts'

const declared = {
  ...answers,
  path: '/flows/{path*}',
  notes:
    'The path and the method are those of an activated flow. The answer is what the flow responds with. The answer of a run ' +
    'has its id in `x-flow-run`. A flow that fails writes nothing.',
  errors: [...failures, 'IDEMPOTENCY_KEY_REUSED'],
  permission: { action: 'run', resourceType: 'flow' },
  cookies: 'ignored',
  headers: { ...answers.headers, request: idempotencyHeader },
} as const

/** Calls of flows (contract 2.8), for each method that an entry can have, and of flows that anybody may call. */
export const flowRoutes = [
  ...entryMethods.map(
    (method): Route<CallDeps> =>
      method === 'GET'
        ? route({
            ...declared,
            method,
            operationId: 'callFlowByGet',
            about: 'Runs the flow with this path, with the parameters of the query as its input.',
            otherParameters: inputInQuery,
            handle: (request, deps: CallDeps) =>
              called(deps, { ...request, method, sent: queryInputOf(request.otherParameters) }),
          })
        : route({
            ...declared,
            method,
            operationId: `callFlowBy${methodName(method)}`,
            about: 'Runs the flow with this path, with the body as its input.',
            body: { maxBytes: bodyBytes.other, anyJson: {}, optional: true },
            handle: (request, deps: CallDeps) => called(deps, { ...request, method, sent: request.bodyText }),
          }),
  ),
  ...publicFlowRoutes,
]

type Called = Pick<ApiRequest, 'id' | 'headers'> &
  Pick<FlowCall, 'principal' | 'sent'> & { method: string; params: { path?: string } }

function called(deps: CallDeps, { id: requestId, params: { path = '' }, ...request }: Called): Promise<Response> {
  const { principal, method, sent } = request
  return callFlow(deps, { principal, requestId, method, path, sent, idempotencyKey: parseIdempotencyKey(request) })
}
