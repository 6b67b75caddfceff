import { isId } from '#shared/domain/id.ts'
import { AppError } from '#shared/errors.ts'
import type { UserCaller } from '../../request/principal.ts'
import type { ApiRequest } from '../../request/route.ts'

/** Who asks for which webhook. @throws REQUESTED_ENTITY_NOT_FOUND for what cannot be an id */
export function target({ caller, params: { webhook = '' } }: ApiRequest): { caller: UserCaller; webhookId: string } {
  if (!isId(webhook)) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  return { caller: caller as UserCaller, webhookId: webhook }
}
