import { entryMethods } from '#shared/domain/flow/properties.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import type { ApiRequest } from '../../request/api-request.ts'
import type { Response } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { parseIdempotencyKey } from '../items/idempotent-request.ts'
import { idempotencyHeader } from '../items/schemas.ts'
import { type CallDeps, callFlow, type FlowCall } from './call-flow.ts'

const run = { action: 'run', resourceType: 'flow' } as const

const declared = {
  path: '/flows/{path*}',
  notes:
    'The path and the method are those of an activated flow. The answer is what the flow responds with; what has started a run ' +
    'names it. A flow that fails writes nothing.',
  errors: ['FLOW_FAILED', 'FLOW_CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  permission: run,
  cookies: 'ignored',
  response: { 200: { description: 'What the flow responds with.' } },
  otherAnswers: 'What the flow responds with, of any status from 200 to 599; or an error.',
  headers: {
    request: idempotencyHeader,
    response: {
      'x-flow-run': { about: 'The id of the run.' },
      'content-security-policy': { about: 'Lets no answer of a flow be a page.' },
    },
  },
} as const

/** Flows that are called (contract 2.8), by the method that their entry has. */
export const flowRoutes: readonly Route<CallDeps>[] = entryMethods.map((method) =>
  method === 'GET'
    ? route({
        ...declared,
        method,
        operationId: 'callFlowByGet',
        about: 'Runs the flow with this path, with the parameters of the query as its input.',
        otherParameters: {
          name: 'input',
          description: 'The input; a value that begins with { or [ is read as JSON.',
          example: { limit: '10' },
        },
        handle: (request, deps: CallDeps) => called(deps, { ...request, method, sent: request.otherParameters.values }),
      })
    : route({
        ...declared,
        method,
        operationId: `callFlowBy${method[0]}${method.slice(1).toLowerCase()}`,
        about: 'Runs the flow with this path, with the body as its input.',
        body: { maxBytes: bodyBytes.other, anyJson: {}, optional: true },
        handle: (request, deps: CallDeps) => called(deps, { ...request, method, sent: request.bodyText }),
      }),
)

type Called = Pick<ApiRequest, 'id' | 'headers'> &
  Pick<FlowCall, 'principal' | 'sent'> & { method: string; params: { path?: string } }

function called(deps: CallDeps, { id: requestId, params: { path = '' }, ...request }: Called): Promise<Response> {
  const { principal, method, sent } = request
  return callFlow(deps, { principal, requestId, method, path, sent, idempotencyKey: parseIdempotencyKey(request) })
}
