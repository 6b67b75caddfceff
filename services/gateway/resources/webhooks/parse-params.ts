import { getIdParam } from '../../request/id-param.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { ApiRequest } from '../../request/route.ts'

/** The principal and the webhook of a request. @throws REQUESTED_ENTITY_NOT_FOUND for text that is not an id */
export function parseParams(request: ApiRequest): { principal: UserPrincipal; webhookId: string } {
  return { principal: request.principal as UserPrincipal, webhookId: getIdParam(request, 'webhook') }
}
