import { askedChanges, requestInAdvance, requestOn } from '#services/gateway/auth/item-states.ts'
import type { ItemPrincipal, TokenPrincipal } from '#services/gateway/request/principal.ts'
import { isConditional } from '#shared/domain/access/compiled-rules.ts'
import type { Action } from '#shared/domain/access/permission-rule.ts'
import {
  isPermitted,
  type OwnedAccessRequest,
  rejectionOf,
  rejectionOfCreate,
} from '#shared/domain/access/permissions.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { changesBetween } from '#shared/domain/item-rules/item-changes.ts'
import { AppError } from '#shared/errors.ts'
import { inTimeSlices } from '#shared/time/time-slices.ts'
import { type ListConfig, ruledList } from '../../lists/list-cache.ts'

/** The states of an item before and after a change: `before` null: it is created; `after` null: deleted. `restores`: to an earlier state. */
type States = { before: Item | null; after: Item | null; restores?: true }

/**
 * Throws unless rules with conditions let a token make a change: they must allow it on both the state before and the state after. A
 * create has only the latter, a delete only the former. Other rules were checked already.
 * @throws TOKEN_NOT_AUTHORIZED, REQUESTED_ENTITY_NOT_FOUND
 */
export async function assertMutationAllowed(
  principal: ItemPrincipal,
  config: ListConfig,
  mutation: States,
): Promise<void> {
  if (principal.mode !== 'token' || !principal.permissions.rules.some(isConditional)) return
  const requests = await requestsOf(principal, config, mutation)
  if (requests.every((request) => isPermitted(principal, request))) return
  throw new AppError(isHidden(principal, config, mutation) ? 'REQUESTED_ENTITY_NOT_FOUND' : 'TOKEN_NOT_AUTHORIZED')
}

async function requestsOf(
  principal: TokenPrincipal,
  config: ListConfig,
  { before, after, restores }: States,
): Promise<OwnedAccessRequest[]> {
  const list = ruledList(config)
  const action: Action = restores ? 'restore' : before === null ? 'create' : after === null ? 'delete' : 'update'
  if (action !== 'update' || !before || !after) {
    const states = [...(before ? [before] : []), ...(after ? [after] : [])]
    return states.map((item) => withoutNewId(requestOn(principal, action, { list, item })))
  }
  const asked = askedChanges(principal, list.id)
  const changes = asked.length > 0 ? await inTimeSlices(changesBetween(before, after, asked)) : []
  return [
    requestOn(principal, action, { list, item: before, changes }),
    requestOn(principal, action, { list, item: after, isAfter: true, changes }),
  ]
}

/** A new item has no id that a rule could name. */
function withoutNewId({ itemId, ...request }: OwnedAccessRequest): OwnedAccessRequest {
  return request.action === 'create' ? request : { ...request, itemId }
}

/** As for every rejection: an item that the token may not view does not exist. A create is hidden in a list of which it may view no items. */
function isHidden(principal: TokenPrincipal, config: ListConfig, { before, after, restores }: States): boolean {
  const list = ruledList(config)
  if (before)
    return (
      rejectionOf(principal, requestOn(principal, after ? 'update' : 'delete', { list, item: before })) === 'hidden'
    )
  if (restores) return false
  return rejectionOfCreate(principal, requestInAdvance(list, 'create')) === 'hidden'
}
