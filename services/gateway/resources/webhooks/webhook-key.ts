import type { WebhookKey } from '#shared/data/webhooks/webhooks.ts'
import type { ApiRequest } from '../../request/api-request.ts'
import { getIdParam } from '../../request/id-param.ts'
import type { UserPrincipal } from '../../request/principal.ts'

/** The key of the webhook that the request's path names. @throws REQUESTED_ENTITY_NOT_FOUND for text that is not an id */
export function webhookKey({
  principal,
  params,
}: ApiRequest<UserPrincipal, { webhook: string }, unknown, unknown>): WebhookKey {
  return { accountId: principal.accountId, webhookId: getIdParam(params.webhook) }
}
