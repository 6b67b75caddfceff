import { decide, mayEver, type Permissions, type Question } from '#shared/domain/permissions.ts'
import { AppError } from '#shared/errors.ts'
import type { KnownCaller } from './caller.ts'

/**
 * Lets a caller do something or tells why not (contract 1.2). A user may do everything in the account. A token gets 403
 * when no rule could ever allow it, or when it may view the resource anyway; otherwise the resource does not exist for it.
 * @throws TOKEN_NOT_AUTHORIZED, REQUESTED_ENTITY_NOT_FOUND
 */
export function authorize(caller: KnownCaller, question: Question): void {
  if (caller.mode === 'user' || allows(caller.permissions, question)) return
  const { action, resourceType } = question
  if (!mayEver(caller.permissions, action, resourceType)) throw new AppError('TOKEN_NOT_AUTHORIZED')
  if (allows(caller.permissions, { ...question, action: 'view' })) throw new AppError('TOKEN_NOT_AUTHORIZED')
  throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
}

/** For pages and counts, which show what the caller may see and leave out the rest. */
export function isAllowed(caller: KnownCaller, question: Question): boolean {
  return caller.mode === 'user' || allows(caller.permissions, question)
}

function allows(permissions: Permissions, question: Question): boolean {
  return decide(permissions, question) === 'allow'
}
