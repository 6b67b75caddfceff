import { AppError, errorPath } from '#shared/errors.ts'
import { everyMethod } from '../request/methods.ts'
import type { NearPath } from './near-path.ts'
import type { CompiledRoute, RequestContext } from './request-context.ts'
import { preflightHeaders } from './responses/cors.ts'
import { errorResponse } from './responses/error-response.ts'
import type { HttpResponse } from './responses/respond.ts'

/**
 * Handles requests without a route: preflight requests of browsers, wrong methods, unknown paths.
 * @param methodsAt the methods of the routes at a path
 */
export function compileUnknownRoute(methodsAt: (path: string) => string[], nearPath: NearPath): CompiledRoute {
  async function respond({ id, req, path }: RequestContext): Promise<HttpResponse> {
    const allowed = allowedAt(methodsAt(path))
    const { method = '' } = req
    if (method === 'OPTIONS' && (allowed.length > 0 || isPreflight(req.headers))) {
      return options(allowed, isPreflight(req.headers))
    }
    if (allowed.length === 0) return errorResponse(routeNotFound({ method, path }, nearPath(path)), id)
    const message = `${method} is not supported here; there are ${allowed.join(', ')}.`
    return errorResponse(new AppError('METHOD_NOT_ALLOWED', { message }), id, { allow: allowed.join(', ') })
  }
  return { label: 'unknown', handle: respond }
}

/** Handles `OPTIONS *`, which applies to no path (RFC 9110, section 9.3.7). */
export const optionsOfServer: CompiledRoute = {
  label: 'unknown',
  handle: async ({ req }) => options([], isPreflight(req.headers)),
}

function routeNotFound({ method, path }: { method: string; path: string }, near: string | null): AppError {
  const hint = near === null ? '.' : `; did you mean ${errorPath('', near)}?`
  return new AppError('ROUTE_NOT_FOUND', { message: `There is no route ${method} ${errorPath('', path)}${hint}` })
}

function allowedAt(methods: string[]): readonly string[] {
  if (methods.length === 0) return []
  return everyMethod.filter((method) => method === 'OPTIONS' || methods.includes(method === 'HEAD' ? 'GET' : method))
}

/** A preflight to an unknown path succeeds too; otherwise the page could not read the 404. */
function options(allowed: readonly string[], isPreflight: boolean): HttpResponse {
  const methods = allowed.length > 0 ? allowed : everyMethod
  return { status: 204, headers: { allow: methods.join(', '), ...(isPreflight ? preflightHeaders(methods) : {}) } }
}

function isPreflight(headers: Record<string, unknown>): boolean {
  return headers['access-control-request-method'] !== undefined
}
