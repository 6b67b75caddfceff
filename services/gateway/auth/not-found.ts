import { couldEverBePermitted } from '#shared/domain/access/ownership.ts'
import type { Action, ResourceType } from '#shared/domain/access/permission-rule.ts'
import { AppError } from '#shared/errors.ts'
import type { ItemPrincipal } from '../request/principal.ts'

/**
 * The error for a resource that does not exist, is in another account, or is hidden from tokens: the same for all three. A
 * token that no rule could ever allow the action gets TOKEN_NOT_AUTHORIZED instead (contract 1.2).
 * @param message what does not exist, as the request named it
 */
export function notFoundOrForbidden(
  principal: ItemPrincipal,
  action: Action,
  resourceType: ResourceType,
  message?: string,
): AppError {
  const forbidden = principal.mode === 'token' && !couldEverBePermitted(principal, action, resourceType)
  if (forbidden) return new AppError('TOKEN_NOT_AUTHORIZED')
  return new AppError('REQUESTED_ENTITY_NOT_FOUND', message === undefined ? {} : { message })
}
