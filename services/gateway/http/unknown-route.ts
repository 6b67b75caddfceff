import { AppError } from '#shared/errors.ts'
import { preflightHeaders } from './cors.ts'
import { errorResponse } from './error-response.ts'
import type { CompiledRoute, RequestContext } from './request-context.ts'
import type { HttpResponse } from './respond.ts'

const everyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Handles what no route does: preflight requests of browsers, wrong methods, unknown paths.
 * @param methodsAt the methods of the routes at a path
 */
export function compileUnknownRoute(methodsAt: (path: string) => string[]): CompiledRoute {
  async function respond({ id, req, path }: RequestContext): Promise<HttpResponse> {
    const allowed = allowedAt(methodsAt(path))
    if (req.method === 'OPTIONS') return options(allowed, { id, isPreflight: isPreflight(req.headers) })
    if (allowed.length === 0) return errorResponse(new AppError('ROUTE_NOT_FOUND'), id)
    return errorResponse(new AppError('METHOD_NOT_ALLOWED'), id, { allow: allowed.join(', ') })
  }
  return { label: 'unknown', handle: respond }
}

function allowedAt(methods: string[]): string[] {
  if (methods.length === 0) return []
  return everyMethod.filter((method) => method === 'OPTIONS' || methods.includes(method === 'HEAD' ? 'GET' : method))
}

/** A preflight to an unknown path succeeds too, or the page could not read the 404. */
function options(allowed: string[], { id, isPreflight }: { id: string; isPreflight: boolean }): HttpResponse {
  if (allowed.length === 0 && !isPreflight) return errorResponse(new AppError('ROUTE_NOT_FOUND'), id)
  const methods = allowed.length > 0 ? allowed : everyMethod
  return { status: 204, headers: { allow: methods.join(', '), ...(isPreflight ? preflightHeaders(methods) : {}) } }
}

function isPreflight(headers: Record<string, unknown>): boolean {
  return headers['access-control-request-method'] !== undefined
}
