import type { ApiRequest } from '#services/gateway/request/api-request.ts'
import type { Principal, RoutePermission } from '#services/gateway/request/principal.ts'
import type { Route } from '#services/gateway/request/route.ts'
import type { Permission } from '#shared/domain/access/permission-rule.ts'

/**
 * The route with a handler that throws if it answers an API token without having requested, and been granted, every permission that
 * the route declares.
 * @param reported called with each such error, because a client sees a bare 500
 */
export function requireGrants<Deps>(route: Route<Deps>, reported: (error: Error) => void): Route<Deps> {
  const needed = permissionsOf(route.permission).map(toText)
  return {
    ...route,
    async handle(request, deps) {
      const { principal, granted } = noteGrants(request)
      const response = await route.handle({ ...request, principal }, deps)
      const missing = needed.filter((permission) => !granted.has(permission))
      if (principal.mode !== 'token' || missing.length === 0) return response
      const what = `whether its rules allow it to ${missing.join(' and ')}`
      const error = new Error(`${route.method} ${route.path} answered an API token without asking ${what}`)
      reported(error)
      throw error
    },
  }
}

/** The permissions that a token needs for every body. */
function permissionsOf(permission: RoutePermission): readonly Permission[] {
  if (typeof permission === 'string') return []
  if ('always' in permission) return permission.always
  return 'action' in permission ? [permission] : permission
}

/** A principal for this request only: that of a cached token serves many requests. */
function noteGrants({ principal }: ApiRequest): { principal: Principal; granted: ReadonlySet<string> } {
  const granted = new Set<string>()
  if (principal.mode !== 'token') return { principal, granted }
  return { principal: { ...principal, onGranted: (permission) => granted.add(toText(permission)) }, granted }
}

function toText({ action, resourceType }: Permission): string {
  return `${action} ${resourceType}`
}
