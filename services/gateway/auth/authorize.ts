import type { Permission } from '#shared/domain/access/permission-rule.ts'
import {
  couldEverBePermitted,
  isPermitted,
  type OwnedAccessRequest,
  rejectionOf,
} from '#shared/domain/access/permissions.ts'
import { AppError } from '#shared/errors.ts'
import type { ItemPrincipal, Principal, RoutePermission } from '../request/principal.ts'

/**
 * Creates the check of a route's declared permissions, to be called before the body is read: it throws when no rule of the token could
 * ever allow the request (contract 1.2). The handler decides, with `authorize`, about the resource that a request names.
 * @throws (when called) TOKEN_NOT_AUTHORIZED; `details.missing` names the permissions
 */
export function createRouteCheck(permission: RoutePermission): (principal: Principal) => void {
  const { always, byBody } = neededFor(permission)
  return (principal) => {
    if (principal.mode !== 'token') return
    const isMissing = (needed: Permission) => !couldEverBePermitted(principal, needed.action, needed.resourceType)
    const missing = always.length > 0 ? always.filter(isMissing) : byBody.every(isMissing) ? byBody : []
    if (missing.length > 0) throw new AppError('TOKEN_NOT_AUTHORIZED', { details: { missing } })
  }
}

/** If no permission is always needed, each body needs at least one of `byBody`. */
function neededFor(permission: RoutePermission): { always: readonly Permission[]; byBody: readonly Permission[] } {
  if (typeof permission === 'string') return { always: [], byBody: [] }
  if ('always' in permission) return permission
  return { always: 'action' in permission ? [permission] : permission, byBody: [] }
}

/**
 * Throws unless the principal may do what is requested (contract 1.2). Users and flows may do everything in the account. A token gets
 * 403 when no rule could ever allow the request, or when it may view the resource anyway; otherwise the resource does not exist for
 * it. With an identity it may also do what the `-with-identity` rules allow on the identity's own items.
 * @throws TOKEN_NOT_AUTHORIZED, REQUESTED_ENTITY_NOT_FOUND
 */
export function authorize(principal: ItemPrincipal, request: OwnedAccessRequest): void {
  if (principal.mode !== 'token' || isAllowed(principal, request)) return
  const isHidden = rejectionOf(principal, request) === 'hidden'
  throw new AppError(isHidden ? 'REQUESTED_ENTITY_NOT_FOUND' : 'TOKEN_NOT_AUTHORIZED')
}

/** For pages and counts, which omit everything that the principal may not see. */
export function isAllowed(principal: ItemPrincipal, request: OwnedAccessRequest): boolean {
  if (principal.mode !== 'token') return true
  const allowed = isPermitted(principal, request)
  if (allowed) principal.onGranted?.(request)
  return allowed
}

/**
 * For requests that name no resource: whether the principal may do this to some resource of the type. The result is the decision; a
 * check that precedes the decision on a resource uses `couldEverBePermitted`.
 */
export function isAllowedForAny(principal: ItemPrincipal, { action, resourceType }: Permission): boolean {
  if (principal.mode !== 'token') return true
  const allowed = couldEverBePermitted(principal, action, resourceType)
  if (allowed) principal.onGranted?.({ action, resourceType })
  return allowed
}
