import { couldEverBePermitted } from '#shared/domain/item/ownership.ts'
import type { Action, ResourceType } from '#shared/domain/permission-rule.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthenticatedPrincipal } from '../request/principal.ts'

/**
 * The answer for what is not there, is in another account, or is hidden from tokens: the same for all three. A token
 * that no rule lets do this to anything is told so instead (contract 1.2).
 */
export function notFoundOrForbidden(
  principal: AuthenticatedPrincipal,
  action: Action,
  resourceType: ResourceType,
): AppError {
  const hopeless = principal.mode === 'token' && !couldEverBePermitted(principal, action, resourceType)
  return new AppError(hopeless ? 'TOKEN_NOT_AUTHORIZED' : 'REQUESTED_ENTITY_NOT_FOUND')
}
