import { entryMethods } from '#shared/domain/flow/properties.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { type Route, route } from '../../request/route.ts'
import { type CallDeps, callFlow } from './call-flow.ts'

const run = { action: 'run', resourceType: 'flow' } as const

const declared = {
  path: '/flows/{path*}',
  notes:
    'The path and the method are those of an activated flow. The answer is what the flow responds with; what has started a run ' +
    'names it. A flow that fails writes nothing.',
  errors: ['FLOW_FAILED', 'FLOW_CONFLICT', 'VALIDATION_FAILED'],
  permission: run,
  cookies: 'ignored',
  response: { 200: { description: 'What the flow responds with.' } },
  otherAnswers: 'What the flow responds with, of any status from 200 to 599; or an error.',
  headers: {
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
        handle: ({ principal, id: requestId, params, otherParameters }, deps: CallDeps) =>
          callFlow(deps, { principal, requestId, method, path: params.path ?? '', sent: otherParameters.values }),
      })
    : route({
        ...declared,
        method,
        operationId: `callFlowBy${method[0]}${method.slice(1).toLowerCase()}`,
        about: 'Runs the flow with this path, with the body as its input.',
        body: { maxBytes: bodyBytes.other, anyJson: {}, optional: true },
        handle: ({ principal, id: requestId, params, bodyText: sent }, deps: CallDeps) =>
          callFlow(deps, { principal, requestId, method, path: params.path ?? '', sent }),
      }),
)
