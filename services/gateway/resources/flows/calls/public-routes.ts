import type { ApiRequest } from '#services/gateway/request/api-request.ts'
import type { Response } from '#services/gateway/request/response.ts'
import { type Route, route } from '#services/gateway/request/route.ts'
import { entryMethods } from '#shared/domain/flow/language/properties.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { validationFailed } from '#shared/errors.ts'
import { callPublicFlow, type PublicCall, type PublicCallDeps } from './call-public-flow.ts'
import { answers, failures, inputInQuery, methodName, queryInputOf } from './route-parts.ts'

const declared = {
  ...answers,
  path: '/flows/public/{flowId}',
  notes:
    'The entry of the flow must have `public: true` and the method of the request. Credentials are ignored. An address may send ' +
    '60 calls a minute.',
  errors: failures,
  permission: 'public',
  costly: true,
} as const

/** Flows that anybody may call, by their ids. */
export const publicFlowRoutes: readonly Route<PublicCallDeps>[] = entryMethods.map((method) =>
  method === 'GET'
    ? route({
        ...declared,
        method,
        operationId: 'callPublicFlowByGet',
        about: 'Runs a flow for anybody, with the parameters of the query as its input.',
        otherParameters: inputInQuery,
        handle: (request, deps: PublicCallDeps) =>
          called(deps, { ...request, method, sent: queryInputOf(request.otherParameters) }),
      })
    : route({
        ...declared,
        method,
        operationId: `callPublicFlowBy${methodName(method)}`,
        about: 'Runs a flow for anybody, with the body as its input.',
        body: { maxBytes: bodyBytes.short, anyJson: {}, optional: true },
        handle: (request, deps: PublicCallDeps) => called(deps, { ...request, method, sent: request.bodyText }),
      }),
)

type Called = Pick<ApiRequest, 'id' | 'headers' | 'clientAddress'> &
  Pick<PublicCall, 'method' | 'sent'> & { params: { flowId: string } }

/** An idempotency key belongs to its sender, so a call without credentials cannot have one. */
async function called(deps: PublicCallDeps, { id: requestId, params, headers, ...request }: Called): Promise<Response> {
  if (headers['idempotency-key'] !== undefined) {
    throw validationFailed([{ path: 'idempotency-key', message: 'needs a token or a user; call the flow by its path' }])
  }
  const { method, sent, clientAddress } = request
  return callPublicFlow(deps, { ...params, method, sent, clientAddress, requestId })
}
