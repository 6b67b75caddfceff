import { isId } from '#shared/domain/id.ts'
import { AppError } from '#shared/errors.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { ApiRequest } from '../../request/route.ts'

/** The principal and the webhook of a request. @throws REQUESTED_ENTITY_NOT_FOUND for text that is not an id */
export function parseParams({ principal, params: { webhook = '' } }: ApiRequest): {
  principal: UserPrincipal
  webhookId: string
} {
  if (!isId(webhook)) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  return { principal: principal as UserPrincipal, webhookId: webhook }
}
