import { isDeepStrictEqual } from 'node:util'
import type { ItemVisibilityFilter } from '#shared/data/item-pages/conditions/visibility.ts'
import { type ItemSet, visibleItems } from '#shared/data/item-pages/item-set.ts'
import {
  draftVisibility,
  type ItemVisibility,
  itemVisibility,
  mayKnowDraft,
} from '#shared/domain/access/permissions.ts'
import { type IdSelection, selectFlows, selectLists } from '#shared/domain/access/selections.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { holdsFor, type RuledList } from '#shared/domain/item-rules/bound-rules.ts'
import type { Folded } from '#shared/domain/item-rules/fold.ts'
import { areConditional, viewedDrafts, viewedItems } from '#shared/domain/item-rules/item-sets.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthenticatedPrincipal, ItemPrincipal, TokenPrincipal } from '../request/principal.ts'
import { isAllowedForAny } from './authorize.ts'

/**
 * Which items of a list a principal sees: all, none, or only those whose `identity_id` is its own; if rules name items, those in either
 * selection of `byId`; if rules have conditions, those that the conditions select for this principal.
 */
type Visibility = ItemVisibilityFilter | { kind: 'none' }

/** The items of a list that a page, search or count may include for this principal (contract 1.2). */
export function visibilityFor(principal: ItemPrincipal, list: RuledList): Visibility {
  if (principal.mode !== 'token') return { kind: 'all' }
  const visibility = areConditional(principal, list.id, 'view')
    ? visibilityByQuestion(viewedItems(principal, list))
    : visibilityBy(itemVisibility(principal, list.id))
  if (visibility.kind !== 'none') principal.onGranted?.({ action: 'view', resourceType: 'item' })
  return visibility
}

function visibilityBy({ regardlessOfOwner, owned }: ItemVisibility): Visibility {
  if (regardlessOfOwner.except.length > 0) return { kind: 'byId', byId: { regardlessOfOwner, owned } }
  if (regardlessOfOwner.rest) return { kind: 'all' }
  if (owned && owned.except.length > 0) return { kind: 'byId', byId: { regardlessOfOwner, owned } }
  return owned?.rest ? { kind: 'own', identityId: owned.identityId } : { kind: 'none' }
}

function visibilityByQuestion(question: Folded): Visibility {
  if (typeof question === 'boolean') return { kind: question ? 'all' : 'none' }
  return { kind: 'asked', question }
}

function draftsFor(principal: TokenPrincipal, list: RuledList): Visibility {
  const byConditions = (['view', 'update'] as const).some((action) => areConditional(principal, list.id, action))
  return byConditions
    ? visibilityByQuestion(viewedDrafts(principal, list))
    : visibilityBy(draftVisibility(principal, list.id))
}

/** What a page shows by the flag `activated`; by default `any` for users, and activated items for tokens and flows. */
export type ActivatedFilter = boolean | 'any'

/**
 * The items of a list that this principal sees, without other filters; null: none. Items that are not activated (drafts) exist
 * for tokens only as `isHiddenDraft` defines.
 */
export function visibleItemsFor(
  principal: ItemPrincipal,
  list: RuledList,
  activated: ActivatedFilter = principal.mode === 'user' ? 'any' : true,
): ItemSet | null {
  const { id: listId } = list
  const visible = visibilityFor(principal, list)
  if (visible.kind === 'none') return null
  if (principal.mode !== 'token') return visibleItems(listId, visible, activated === 'any' ? null : activated)
  if (activated === true) return visibleItems(listId, visible, true)
  const drafts = draftsFor(principal, list)
  if (drafts.kind === 'none') return activated === 'any' ? visibleItems(listId, visible, true) : null
  if (activated === false) return visibleItems(listId, drafts, false)
  const both = visibleItems(listId, visible, null)
  return isDeepStrictEqual(drafts, visible) ? both : { ...both, drafts }
}

/** Whether a number of all items of a list reveals nothing to this principal that its pages do not. */
export function seesEveryItem(principal: ItemPrincipal, listId: string): boolean {
  // Conditions that hold for every current item may not hold for the next.
  if (principal.mode === 'token' && areConditional(principal, listId, 'view')) return false
  const set = visibleItemsFor(principal, { id: listId, indexes: [] }, 'any')
  return set?.visible.kind === 'all' && set.activated === null && set.drafts === undefined
}

/** Whether an item does not exist for this principal because it is not activated (contract 2.2). */
export function isHiddenDraft(principal: ItemPrincipal, list: RuledList, item: Item): boolean {
  const { activated, id: itemId, listId, identity } = item
  if (activated || principal.mode !== 'token') return false
  const holds = holdsFor(principal, { list, item })
  return !mayKnowDraft(principal, { listId, itemId, ownerId: identity?.id ?? null, holds })
}

/**
 * The lists of the account that a page may include for this principal.
 * @throws TOKEN_NOT_AUTHORIZED when no rule could ever let the token view a list
 */
export function visibleLists(principal: AuthenticatedPrincipal): IdSelection {
  return visibleOf(principal, 'list', selectLists)
}

/**
 * The flows of the account that a page may include for this principal.
 * @throws TOKEN_NOT_AUTHORIZED when no rule could ever let the token view a flow
 */
export function visibleFlows(principal: AuthenticatedPrincipal): IdSelection {
  return visibleOf(principal, 'flow', selectFlows)
}

function visibleOf(
  principal: AuthenticatedPrincipal,
  resourceType: 'list' | 'flow',
  select: typeof selectLists,
): IdSelection {
  if (principal.mode === 'user') return { rest: true, except: [] }
  const permission = { action: 'view', resourceType } as const
  if (!isAllowedForAny(principal, permission)) throw new AppError('TOKEN_NOT_AUTHORIZED')
  return select(principal.permissions, permission)
}
