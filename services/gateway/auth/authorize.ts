import { isEverPermitted, isPermitted, type OwnedQuestion } from '#shared/domain/item/ownership.ts'
import { AppError } from '#shared/errors.ts'
import type { KnownCaller } from '../request/principal.ts'

/**
 * Lets a caller do something or tells why not (contract 1.2). A user may do everything in the account. A token gets 403
 * when no rule could ever allow it, or when it may view the resource anyway; otherwise the resource does not exist for it.
 * With an identity it also gets what the `-with-identity` rules allow on the identity's own items.
 * @throws TOKEN_NOT_AUTHORIZED, REQUESTED_ENTITY_NOT_FOUND
 */
export function authorize(caller: KnownCaller, question: OwnedQuestion): void {
  if (caller.mode === 'user' || isPermitted(caller, question)) return
  const { action, resourceType } = question
  if (!isEverPermitted(caller, action, resourceType)) throw new AppError('TOKEN_NOT_AUTHORIZED')
  if (isPermitted(caller, { ...question, action: 'view' })) throw new AppError('TOKEN_NOT_AUTHORIZED')
  throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
}

/** For pages and counts, which show what the caller may see and leave out the rest. */
export function isAllowed(caller: KnownCaller, question: OwnedQuestion): boolean {
  return caller.mode === 'user' || isPermitted(caller, question)
}
