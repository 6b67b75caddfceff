import type { Action, ResourceType } from '#shared/domain/access/permission-rule.ts'
import { couldEverBePermitted } from '#shared/domain/access/permissions.ts'
import { AppError } from '#shared/errors.ts'
import type { ItemPrincipal } from '../request/principal.ts'

/**
 * The error for a resource that does not exist, is in another account, or is hidden from tokens: the same for all three. A
 * token that no rule could ever allow the action gets TOKEN_NOT_AUTHORIZED instead (contract 1.2).
 */
export function notFoundOrForbidden(principal: ItemPrincipal, action: Action, resourceType: ResourceType): AppError {
  const forbidden = principal.mode === 'token' && !couldEverBePermitted(principal, action, resourceType)
  return new AppError(forbidden ? 'TOKEN_NOT_AUTHORIZED' : 'REQUESTED_ENTITY_NOT_FOUND')
}
