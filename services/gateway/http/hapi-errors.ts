import type { Request } from '@hapi/hapi'
import { AppError, validationFailed } from '#shared/errors.ts'
import { type CompiledRoute, createHandler, type HapiHandler, type ServerContext } from './request-context.ts'
import { optionsOfServer } from './unknown-route.ts'

/**
 * Handles requests that hapi rejects before it finds a route: a path that cannot be decoded, a target that is not a URL, the target `*`.
 * To be called before hapi responds.
 */
export function createHapiErrorResponse(server: ServerContext): HapiHandler {
  return async (request, h) => {
    const status = hapiStatus(request)
    if (status === null) return h.continue
    const { method, url } = request.raw.req
    const route = method === 'OPTIONS' && url === '*' ? optionsOfServer : compileErrorRoute(status)
    return createHandler(route, server)(request, h)
  }
}

function hapiStatus({ response }: Request): number | null {
  return 'isBoom' in response ? response.output.statusCode : null
}

function compileErrorRoute(status: number): CompiledRoute {
  return { label: 'unknown', handle: () => Promise.reject(errorFor(status)) }
}

function errorFor(status: number): Error {
  if (status === 404) return new AppError('ROUTE_NOT_FOUND')
  if (status === 400) return validationFailed([{ path: 'path', message: 'The path is not well-formed.' }])
  return new Error(`hapi rejected a request with ${status}`)
}
